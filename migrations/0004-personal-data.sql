-- What is held of a customer is read by these: the flags a profile made, and hidden followers batch by batch.
create index flag_by_profile on flag (profile_id, kind, subject_id);
drop index follow_hidden_by_followee;
create index follow_hidden_by_followee on follow (followee_id, id) where shown = 0;
