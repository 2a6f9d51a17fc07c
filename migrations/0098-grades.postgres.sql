-- One row for each settled tip that counts. Stakes are in points, profit, odds and closing in millionths, return_square in
-- ten-thousandths of (profit / stake) squared. No foreign keys here: they cost a settlement more than the rows themselves, and
-- neither profiles nor comments are ever deleted.
create table tip_grade (
  profile_id bigint not null,
  comment_id bigint not null,
  sport_id bigint not null,
  band integer not null,
  -- UTC day of the settlement since 1970.
  day integer not null,
  in_play integer not null,
  grade text not null check (grade in ('W', 'L', 'V')),
  stake integer not null,
  profit bigint not null,
  odds bigint not null,
  return_square bigint not null,
  -- The price that was taken against the closing price; null: not compared.
  closing bigint,
  withdrawn integer not null,
  primary key (profile_id, comment_id)
);

-- The sums of tip_grade.
create table record_sum (
  profile_id bigint not null,
  in_play integer not null,
  day integer not null,
  sport_id bigint not null,
  band integer not null,
  num_won integer not null,
  num_lost integer not null,
  num_void integer not null,
  num_withdrawn integer not null,
  staked bigint not null,
  profit bigint not null,
  odds bigint not null,
  return_squares bigint not null,
  num_closing integer not null,
  closing bigint not null,
  num_beaten integer not null,
  primary key (profile_id, in_play, day, sport_id, band)
);
