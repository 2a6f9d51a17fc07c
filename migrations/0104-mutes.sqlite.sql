-- Mutes and blocks (src/mutes). A mute is one-sided: its owner no longer sees the other's tips in the home feed. A block is
-- two-sided: neither of the two sees, follows, likes or flags the other. Without references to profiles, which are never deleted.

create table profile_mute (
  id {{identity}},
  profile_id bigint not null,
  other_id bigint not null,
  created_at bigint not null,
  -- 9007199254740991 (the largest exact number of JavaScript): until it is taken back.
  until bigint not null,
  unique (profile_id, other_id),
  check (profile_id <> other_id)
);
create index profile_mute_list on profile_mute (profile_id, id desc);
create index profile_mute_until on profile_mute (until) where until < 9007199254740991;

-- Two rows for each block, one from either side, so that one probe finds whether a viewer sees a profile.
create table profile_block (
  id {{identity}},
  profile_id bigint not null,
  other_id bigint not null,
  -- 1: the profile has blocked the other; 0: it was blocked by the other.
  own integer not null check (own in (0, 1)),
  created_at bigint not null,
  unique (profile_id, other_id),
  check (profile_id <> other_id)
);
create index profile_block_list on profile_block (profile_id, id desc) where own = 1;

-- The end of the follower's mute, 0 without one: the home feed reads it with the followings, from the same index.
alter table follow add column muted_until bigint not null default 0;
drop index follow_by_follower;
create index follow_by_follower on follow (follower_id, id desc, followee_id, muted_until) where shown = 1;

-- Nobody follows across a block, and a new follow takes over the mute.
create trigger follow_refused before insert on follow
when exists (select 1 from profile_block where profile_id = new.follower_id and other_id = new.followee_id)
begin
  select raise(ignore);
end;
create trigger follow_muted after insert on follow
when exists (select 1 from profile_mute where profile_id = new.follower_id and other_id = new.followee_id)
begin
  update follow set muted_until =
    (select until from profile_mute where profile_id = new.follower_id and other_id = new.followee_id)
  where follower_id = new.follower_id and followee_id = new.followee_id;
end;
