-- A record's tips are read in the order of settlement, all or those of one grade.
create index tip_grade_settled on tip_grade (profile_id, in_play, day, comment_id, grade);
