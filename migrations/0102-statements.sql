-- What the author of restricted content is told (src/review), and what an overturned decision puts back. A decision that
-- restricts has a ground; the others have none.
alter table decision add column profile_id bigint;
alter table decision add column ground text check (ground in ('terms', 'law'));
alter table decision add column clause text;
alter table decision add column statement text not null default '';
alter table decision add column automated integer not null default 0 check (automated in (0, 1));
-- When the subject was first flagged since the decision before.
alter table decision add column flagged_at bigint;
-- Whether it changed the subject, and the value that it replaced: a name, a biography, or the key of a picture. The value
-- is deleted when no appeal can bring it back any more.
alter table decision add column changed integer not null default 0 check (changed in (0, 1));
alter table decision add column former text;
-- Both sides of an overturned decision: the later one names the earlier one, and the other way round.
alter table decision add column overturns bigint;
alter table decision add column overturned_by bigint;

-- Whose content it is about: the profile, or the author of the comment.
update decision set profile_id =
  case kind when 'profile' then subject_id else (select author_id from comment where id = decision.subject_id) end;
update decision set ground = 'terms', clause = 'general'
where action in ('remove', 'deactivate', 'reset-name', 'reset-biography', 'reset-picture');
update decision set changed = 1 where action in ('remove', 'deactivate');

create index decision_of_profile on decision (profile_id, id desc) where action not in ('keep', 'feature', 'unfeature');
create index decision_with_former on decision (at) where former is not null;

-- The clauses that decisions name, each with the statement that a moderator starts from, and texts for notes: JSON arrays
-- in one row, which admins replace.
create table moderation_texts (
  id integer primary key check (id = 1),
  version bigint not null,
  clauses text not null,
  notes text not null
);
insert into moderation_texts (id, version, clauses, notes) values (1, 0,
  '[{"key":"general","ground":"terms","title":"Community rules","template":"Our moderators found that this content breaks our community rules."},
    {"key":"spam","ground":"terms","title":"Spam and advertising","template":"This content advertises or repeats itself. Our community rules do not allow spam."},
    {"key":"abuse","ground":"terms","title":"Abuse and harassment","template":"This content insults or threatens others. Our community rules do not allow abuse."},
    {"key":"false-claim","ground":"terms","title":"False claims","template":"This content states something as a fact that is false or misleading. Our community rules do not allow this."},
    {"key":"inside-information","ground":"terms","title":"Inside information","template":"This content claims or uses information that is not public. Our community rules do not allow this."},
    {"key":"harm","ground":"terms","title":"Harm to yourself or others","template":"This content encourages harm, or betting beyond what somebody can afford. Our community rules do not allow this. If betting is a problem for you, please ask for help."},
    {"key":"illegal-content","ground":"law","title":"Illegal content","template":"We have reason to believe that this content is illegal. The law obliges us to act on it."}]',
  '["Seen and fine","Repeated after a warning","Context makes it harmless","Discussed with a colleague"]');
