

  	 b		 2   


 d	
 h   1

 3 	 5

 $  s