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
    my ($key, $label, @cards) = @_;
    my $below = numbers($key, $label);
    for my $last (reverse 1 .. $#cards) {
        my $other = $below->($last + 1);
        @cards[$last, $other] = @cards[$other, $last];
    }
    return @cards;
}

sub mixed {
    my ($seed, $word) = @_;
    return $word eq "" ? $seed : hmac_sha256("word|" . encode_utf8($word), $seed);
}

sub word_of {
    my %seats = @_;
    my @brought = grep { $_ ne "" } map { $seats{$_} } sort { $a <=> $b } keys %seats;
    return @brought ? sha256_hex(join "|", @brought) : "";
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
my ($key, $is_first, $last_key, %seats) = (mixed($seed, $word), 1);
my ($shoes, $dealt, $drawn, $at, @cards, @gone) = (0, 0, 0, 0);    # gone: rounds of 31 since the last shuffle
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
        $last_key = mixed($seed, word_of(%seats) || $word);
        @cards = shoe($last_key, "shoe " . ++$shoes, @from);
        ($at, @gone) = (0);
    } elsif ($do->{is} eq "Deal") {
        if ($is_first && !grep { $_->{is} =~ /^Burn/ } @events) {    # the first card of a round
            my $new_key = mixed($seed, word_of(%seats) || $word);
            @cards = shoe($new_key, "shoe $shoes card " . ($at + 1), @cards) if $new_key ne $last_key;
            ($is_first, $last_key) = (0, $new_key);
        }
        $dealt++;
        $at++;
        $do->{card} eq (shift @cards // "") or die "another card at card $dealt\n";
    }
    $seats{$seat} = $do->{entropy} // "" if $do->{is} eq "Join";
    delete $seats{$_->{seat}} for grep { $_->{is} eq "SeatLeft" } @events;
    $is_first ||= grep { ($_->{kind} // $_->{is}) =~ /^(Coup|Round)Over$/ } @events;
    my @overs = grep { exists $_->{dealer} && exists $_->{insurance} } map { $_->{event} // $_ } @events;
    if ($first->{game} =~ /^thirty-one/ && @overs) {
        push @gone, map { @{$_->{cards}} } @{$_->{hands}} for @overs;
        push @gone, @{$overs[0]{dealer}};
    }
}
print "$dealt cards of $shoes shoes follow from the seed\n";
print "and $drawn discards of random players\n" if $drawn;
