-- What comes back of a debt that was written off is the house's.
drop trigger transfer_source on transfer;
create trigger transfer_source before insert on transfer for each row
  when (num_nonnulls(new.deposit_id, new.movement_id, new.refund_id, new.dispute_event_id, new.withdrawal_id, new.part_id, new.write_off_id) <> 1 or not (
    (new.deposit_id is not null and new.kind in
      ('credit', 'capture', 'uncapture', 'reversal', 'reversal_debt', 'capture_short', 'debt_payment', 'erased_credit',
        'erased_debt'))
    or (new.movement_id is not null
      and new.kind in ('stake', 'winnings', 'void', 'adjustment', 'adjustment_debit', 'debt_payment'))
    or (new.refund_id is not null and new.kind in ('refund', 'refund_debt', 'refund_failed', 'written_off_repaid', 'debt_payment', 'erased_credit', 'erased_debt'))
    or (new.dispute_event_id is not null
      and new.kind in ('chargeback', 'chargeback_debt', 'chargeback_reversed', 'chargeback_house', 'chargeback_house_reversed', 'written_off_repaid', 'debt_payment',
        'erased_credit', 'erased_debt'))
    or (new.withdrawal_id is not null and new.kind in
      ('withdrawal', 'payout', 'withdrawal_returned', 'withdrawal_resumed', 'payout_reversed', 'debt_payment'))
    or (new.part_id is not null and new.kind in
      ('return_paid', 'payout_paid', 'outside_paid', 'part_back', 'return_back', 'payout_back', 'outside_back', 'part_again', 'part_again_debt',
        'written_off_repaid', 'debt_payment', 'erased_credit', 'erased_debt'))
    or (new.write_off_id is not null and new.kind = 'debt_written_off')))
  execute function refuse_change('a transfer has one source, which has such transfers');
