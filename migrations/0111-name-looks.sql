-- What a name looks like (src/moderation/name-look.ts). Names are unique by it, beside name_key. Those of before are written when the
-- service starts; of two that look alike the first keeps the look, and the other stays without one.
alter table profile add column name_look text;
create unique index profile_name_look on profile (name_look);
create index profile_without_look on profile (id) where name is not null and name_look is null;
