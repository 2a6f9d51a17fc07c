-- Why the customer has its status, and since when.
alter table customer add column status_reason text;
alter table customer add column status_at bigint;

-- A closed card stays listed for operators, and can be reopened.
alter table payment_method add column closed_at bigint;

-- The filters of the audit trail. The subject is the first id of the path.
create index audit_by_time on audit (at, id);
create index audit_by_actor on audit (actor, at, id);
create index audit_by_action on audit (action, at, id);
create index audit_by_actor_and_action on audit (actor, action, at, id);
create index audit_by_subject on audit ((substr(subject, 1, length(subject)
  - length(ltrim(subject, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_')))), at, id);

-- All tips of an author, also those that no list shows.
create index comment_of_author on comment (author_id, id);
