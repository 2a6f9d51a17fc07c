with

-- work: The pending outcomes, with their result and start time from the catalogue.
work as materialized (
  select w.outcome_id, (
    select o.result
    from outcome o
    where o.id = w.outcome_id) as result, (
    select e.start_time
    from outcome o join market m on m.id = o.market_id join event e on e.id = m.event_id
    where o.id = w.outcome_id) as start_time
  from comment_work w),

-- newest_per_author: Of each followed author, the comment number :depth after the cursor.
newest_per_author as materialized (
  select f.followee_id as author_id, (
    select x.start_order
    from comment x
    where x.listed = :listed
    and not exists (
      select 1
      from comment_work w
      where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.author_id = f.followee_id
    order by x.start_order desc, x.id desc
    limit 1 offset :depth - 1) as k1, (
    select x.id
    from comment x
    where x.listed = :listed
    and not exists (
      select 1
      from comment_work w
      where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.author_id = f.followee_id
    order by x.start_order desc, x.id desc
    limit 1 offset :depth - 1) as k2
  from follow f
  where f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now),

-- cutoff: The last of the best :authors of these: nothing below it can be in the block.
cutoff as materialized (
  select *
  from newest_per_author newest
  where k1 is not null
  order by newest.k1 desc, newest.k2 desc
  limit 1 offset :authors - 1),

-- own_last: Of each author who reaches the cutoff, the author’s own comment number :reach, if there is one.
own_last as materialized (
  select newest.author_id, case when (newest.k1, newest.k2) >= (coalesce(cutoff.k1, -9007199254740991), coalesce(cutoff.k2, -9007199254740991)) then (
    select x.start_order
    from comment x
    where x.listed = :listed
    and not exists (
      select 1
      from comment_work w
      where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.author_id = newest.author_id and x.start_order >= coalesce(cutoff.k1, -9007199254740991)
    order by x.start_order desc, x.id desc
    limit 1 offset :reach - 1) end as k1, case when (newest.k1, newest.k2) >= (coalesce(cutoff.k1, -9007199254740991), coalesce(cutoff.k2, -9007199254740991)) then (
    select x.id
    from comment x
    where x.listed = :listed
    and not exists (
      select 1
      from comment_work w
      where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.author_id = newest.author_id and x.start_order >= coalesce(cutoff.k1, -9007199254740991)
    order by x.start_order desc, x.id desc
    limit 1 offset :reach - 1) end as k2
  from newest_per_author newest
  left join cutoff on true
  where :depth > 1 or (newest.k1, newest.k2) >= (coalesce(cutoff.k1, -9007199254740991), coalesce(cutoff.k2, -9007199254740991))),

-- lower_bound: Nothing of an author below this is needed.
lower_bound as materialized (
  select own_last.author_id, coalesce(own_last.k1, cutoff.k1, -9007199254740991) as k1, coalesce(own_last.k2, cutoff.k2, -9007199254740991) as k2
  from own_last
  left join cutoff on true),

-- candidates: The comments between lower bound and cursor.
candidates as materialized (
  select x.id as id, x.start_order as k1, x.id as k2
  from lower_bound b
  cross join comment x
  where x.author_id = b.author_id and x.listed = :listed
  and not exists (
    select 1
    from comment_work w
    where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.start_order = b.k1 and x.id >= b.k2
  union all
  select x.id as id, x.start_order as k1, x.id as k2
  from lower_bound b
  cross join comment x
  where x.author_id = b.author_id and x.listed = :listed
  and not exists (
    select 1
    from comment_work w
    where w.outcome_id = x.outcome_id) and (x.start_order, x.id) < (:after1, :after2) and x.start_order > b.k1),

-- page: The block.
page as (
  select *
  from (
    select *
    from candidates
    union all
    select *
    from (
      select c.id, -w.start_time as k1, c.id as k2
      from work w
      cross join follow f join comment c on c.author_id = f.followee_id join comment_count k on k.comment_id = c.id
      where c.state = 'live' and case when w.result in ('win', 'half-win') then 'W' when w.result in ('lose', 'half-lose', 'place') then 'L' when w.result in ('void', 'push') then 'V' else 'A' end = :listed and f.follower_id = :reader and f.shown = 1 and f.muted_until <= :now and c.outcome_id = w.outcome_id) as of_pending
    where (of_pending.k1, of_pending.k2) < (:after1, :after2)) as listed
  order by listed.k1 desc, listed.k2 desc
  limit :limit offset :offset)

-- The rows of the block.
select list_state.*, page.k1, page.k2, c.id, c.bet_id, c.created_at, c.text, c.featured, c.linked_id, c.price_num as given_num, c.price_den as given_den, c.starting_price as given_starting_price, k.likes, o.id as outcome_id, o.name as outcome_name, o.status as outcome_status, o.starting_price, o.price_num, o.price_den, o.result, m.id as market_id, m.name as market_name, m.status as market_status, m.settled_at, e.id as event_id, e.name as event_name, e.status as event_status, e.sport_id, (
  select 1
  from comment_like
  where comment_id = c.id and profile_id = :reader) is not null as is_liked, (
  select 1
  from flag
  where kind = 'comment' and subject_id = c.id and profile_id = :reader) is not null as is_flagged
from (
  select exists (
    select 1
    from comment_work) as pending) list_state
left join page on true
left join comment c on c.id = page.id
left join comment_count k on k.comment_id = c.id
left join outcome o on o.id = c.outcome_id
left join market m on m.id = o.market_id
left join event e on e.id = m.event_id
order by page.k1 desc, page.k2 desc
