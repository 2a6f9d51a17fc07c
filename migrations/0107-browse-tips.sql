-- The lists in which operators browse tips (src/review/tip-list-store.ts). Two of the indexes hold few tips. The condition of the
-- third keeps planners from using it for other lists.
create index comment_featured on comment (id desc) where featured = 1;
create index comment_withdrawn on comment (state, id desc) where state <> 'live';
create index comment_by_sport_of_all on comment (sport_id, id desc) where id > 0;
