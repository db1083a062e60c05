use strict; use warnings;
use JSON::PP; use Encode 'encode_utf8'; use Digest::SHA qw(sha256_hex sha256 hmac_sha256);

my @pack = map { my $suit = $_; map { $_ . $suit } split //, "A23456789TJQK" } split //, "CDHS";

sub numbers {
    my ($key, $label) = @_;
    my ($block, @words) = (0);
    return sub {
        my ($n, $word) = @_;
        do {
            @words = unpack "N8", hmac_sha256("$label|" . $block++, $key) unless @words;
            $word = shift @words;
        } until $word < 2**32 - 2**32 % $n;
        return $word % $n;
    };
}

sub shoe {
    my ($key, $number, @cards) = @_;
    my $below = numbers($key, "shoe $number");
    for my $last (reverse 1 .. $#cards) {
        my $other = $below->($last + 1);
        @cards[$last, $other] = @cards[$other, $last];
    }
    return @cards;
}

sub thrown {
    my ($key, $seat, $choice) = @_;
    my ($below, @places) = (numbers($key, "seat $seat choice $choice"), 1 .. 6);
    return join " ", sort map { splice @places, $below->($_), 1 } 6, 5;
}

open my $file, "<:raw", $ARGV[0] or die "$ARGV[0]: $!\n";
chomp(my @raw = <$file>);
my ($first, @lines) = map { decode_json $_ } @raw;
for (0 .. $#lines) {
    $lines[$_]{prev} eq sha256_hex($raw[$_]) or die "chain broken at line ", $_ + 2, "\n";
}
!exists $first->{seat} or die "this log has what one seat saw, not every card\n";
$first->{croupier}{name} ne "cards"
    or die "known cards were dealt, as the log lists them: there was no shuffle\n";
$first->{source}{kind} eq "committed"
    or die "no seed was committed to: the cards follow from a number that was chosen\n";
my $end = (pop @lines)->{end} or die "the session has not ended: its seed is not revealed yet\n";
my ($seed, $word) = (pack("H*", $end->{seed}), $first->{source}{word} // "");
sha256_hex($seed) eq $first->{source}{value} or die "the seed does not fit the commitment\n";
my $key = $word eq "" ? $seed : hmac_sha256("word|" . encode_utf8($word), $seed);
my ($shoes, $dealt, $drawn, @cards, @gone) = (0, 0, 0);    # gone: rounds of 31 since the last shuffle
my @choices;
for my $step (@lines) {
    my ($do, $seat, @events) = ($step->{do}, $step->{by}, @{$step->{ev}});
    $choices[$seat]++ if defined $seat;
    if (defined $seat && $first->{game} eq "cribbage" && $first->{players}[$seat] eq "random"
        && $do->{is} eq "Discard") {
        $drawn++;
        "@{$do->{places}}" eq thrown($key, $seat, $choices[$seat])
            or die "another choice at step $step->{n}\n";
    }
    if ($do->{is} eq "Shoe") {
        my @from = (@pack) x ($do->{stock} / 52);
        @from = @gone if grep { $_->{discards} } @events;
        @cards = shoe($key, ++$shoes, @from);
        @gone = ();
    } elsif ($do->{is} eq "Deal") {
        $dealt++;
        $do->{card} eq (shift @cards // "") or die "another card at card $dealt\n";
    }
    my @overs = grep { exists $_->{dealer} && exists $_->{insurance} } map { $_->{event} // $_ } @events;
    if ($first->{game} =~ /^thirty-one/ && @overs) {
        push @gone, map { @{$_->{cards}} } @{$_->{hands}} for @overs;
        push @gone, @{$overs[0]{dealer}};
    }
}
print "$dealt cards of $shoes shoes follow from the seed\n";
print "and $drawn discards of random players\n" if $drawn;
