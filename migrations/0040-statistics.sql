-- What happened on each day is counted by these (follows have follow_window).
create index profile_by_day on profile (created_at);
create index flag_by_day on flag (created_at);
create index decision_by_day on decision (at);
