-- With BET_CHECK=trust several customers may name the same bet id: one live tip for each profile, outcome and bet.
drop index comment_one_per_bet;
create unique index comment_one_per_bet on comment (outcome_id, bet_id, author_id) where state <> 'deactivated';
