// Written by `npm run client` from the operations of the service. Do not edit.

/** The data of each kind of event. */
export interface EventData {
  /** A customer’s profile was created. */
  'profile.created': Record<never, never>
  /** The profile has a new follower. */
  'follow.created': {
    /** The profile that did it. */
    byProfileId: number
  }
  /** A follower left the profile. */
  'follow.ended': {
    /** The profile that did it. */
    byProfileId: number
  }
  /** A tip was written. */
  'tip.created': {
    /** The outcome of the tip. */
    outcomeId: number
    /** The sport of the tip. */
    sportId: number
  }
  /** The author has taken the tip back. */
  'tip.deactivated': {
    /** The outcome of the tip. */
    outcomeId: number
  }
  /** A moderator has removed the tip, or a rule holds it. */
  'tip.removed': {
    /** The outcome of the tip. */
    outcomeId: number
  }
  /** A moderator has restored or published the tip. */
  'tip.restored': {
    /** The outcome of the tip. */
    outcomeId: number
  }
  /** The outcome of the tip has a result. */
  'tip.settled': {
    /** The outcome of the tip. */
    outcomeId: number
    result: 'win' | 'lose' | 'void' | 'push' | 'half-win' | 'half-lose' | 'place'
  }
  /** The outcome of the tip has another result than before. */
  'tip.corrected': {
    /** The outcome of the tip. */
    outcomeId: number
    result: 'win' | 'lose' | 'void' | 'push' | 'half-win' | 'half-lose' | 'place'
  }
  /** The tip was liked. */
  'like.created': {
    /** The profile that did it. */
    byProfileId: number
  }
  /** A like of the tip was withdrawn. */
  'like.ended': {
    /** The profile that did it. */
    byProfileId: number
  }
  /** The tip or profile was flagged for moderators. */
  'flag.created': {
    /** The profile that did it. */
    byProfileId: number
  }
  /** A moderator has decided on the tip or profile, or a rule holds the tip. */
  'decision.made': {
    /** The decision. */
    decisionId: number
    action: string
  }
  /** The author or a reporter has appealed a decision on the tip or profile. */
  'appeal.made': {
    /** The appeal. */
    appealId: number
    /** The decision. */
    decisionId: number
    party: 'author' | 'reporter'
  }
  /** A moderator has decided an appeal. */
  'appeal.decided': {
    /** The appeal. */
    appealId: number
    /** The decision. */
    decisionId: number
    party: 'author' | 'reporter'
    outcome: 'upheld' | 'overturned'
  }
  /** The issuer requests a confirmation from the customer (3-D Secure); nothing is credited yet. */
  'deposit.challenged': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** The amount is held on the card and credited to the customer. */
  'deposit.authorised': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** The gateway has taken the money. */
  'deposit.captured': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** The gateway or the bank has refused. */
  'deposit.declined': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** The deposit failed, and nothing is held on the card. */
  'deposit.voided': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** The deposit needs manual review. */
  'deposit.review': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** An operator has resolved the review. */
  'deposit.resolved': {
    amount: string
    /** ISO 4217 */
    currency: string
    /** The state of the deposit after the change. */
    state: string
    /** Why it needed manual review. */
    review: string | null
    /** The period of the customer’s own limit, where that is why it was voided. */
    limitPeriod: 'day' | 'week' | 'month' | null
    /** The public API’s code of the refusal. Absent from events of earlier versions. */
    fault: string | null
    /** Why it failed, in words. Only in the log that operators read, and in webhooks. */
    why?: {
      title: string
      /** What the bank meant, or what happened here. */
      meaning: string
      /** What the customer saw. */
      customerMessage: string
      /** What to do next. */
      nextStep: string
    }
  }
  /** An operator refunds the deposit; the amount has left the customer’s account. */
  'refund.requested': {
    /** The refund. */
    refundId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED' | 'REVIEW'
  }
  /** The gateway has received the refund. */
  'refund.sent': {
    /** The refund. */
    refundId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED' | 'REVIEW'
  }
  /** The gateway has returned the money to the card. */
  'refund.done': {
    /** The refund. */
    refundId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED' | 'REVIEW'
  }
  /** The refund failed; the amount is credited to the customer again. */
  'refund.failed': {
    /** The refund. */
    refundId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED' | 'REVIEW'
  }
  /** The gateway has not answered for long: the refund needs manual review. */
  'refund.review': {
    /** The refund. */
    refundId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED' | 'REVIEW'
  }
  /** The bank of the card queries the deposit, or has taken its money back. */
  'dispute.opened': {
    /** The dispute. */
    disputeId: number
    /** What the gateway has reported, by its name at Adyen; or `ended`. */
    event: string
    state: 'OPENED' | 'CHARGED_BACK' | 'REVERSED' | 'CHARGED_BACK_AGAIN' | 'LOST' | 'WON'
    amount: string
    /** ISO 4217 */
    currency: string
    /** What the customer’s account and debt were debited for it, now. */
    debited: string
    /** Until when evidence may be given. */
    answerBy: string | null
  }
  /** The gateway has reported more about a dispute, or it has ended. */
  'dispute.changed': {
    /** The dispute. */
    disputeId: number
    /** What the gateway has reported, by its name at Adyen; or `ended`. */
    event: string
    state: 'OPENED' | 'CHARGED_BACK' | 'REVERSED' | 'CHARGED_BACK_AGAIN' | 'LOST' | 'WON'
    amount: string
    /** ISO 4217 */
    currency: string
    /** What the customer’s account and debt were debited for it, now. */
    debited: string
    /** Until when evidence may be given. */
    answerBy: string | null
  }
  /** The customer withdraws money; the amount has left their account. */
  'withdrawal.requested': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The withdrawal waits for persons: one of them holds it, its card has changed, or the customer owes money. */
  'withdrawal.held': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The withdrawal is no longer held, and waits for approval. */
  'withdrawal.released': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The withdrawal will be sent: the rule or two operators have approved it. */
  'withdrawal.approved': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The withdrawal is being sent to the gateway. */
  'withdrawal.sending': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The gateway has paid the withdrawal out. */
  'withdrawal.paid': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The withdrawal was not paid, or came back; the amount is credited to the customer again. */
  'withdrawal.returned': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** A part of the withdrawal was not paid, or came back; its amount is credited to the customer again. */
  'withdrawal.part-returned': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** An operator has refused the withdrawal; the amount is credited to the customer again. */
  'withdrawal.refused': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** The result of the withdrawal needs manual review. */
  'withdrawal.review': {
    /** The withdrawal. */
    withdrawalId: number
    amount: string
    /** ISO 4217 */
    currency: string
    state: 'REQUESTED' | 'APPROVED' | 'SENDING' | 'PAID' | 'RETURNED' | 'REFUSED' | 'REVIEW'
  }
  /** A card was registered for the customer. */
  'card.added': {
    /** The card. */
    cardId: number
  }
  /** A card of the customer was changed. */
  'card.changed': {
    /** The card. */
    cardId: number
    changed: ('token' | 'number' | 'expiry-date' | 'holder')[]
  }
  /** An operator has closed a card of the customer: it takes no deposits. */
  'card.closed': {
    /** The card. */
    cardId: number
  }
  /** Five wrong cv2 in a row: the card takes no deposits until it is registered again. */
  'card.blocked': {
    /** The card. */
    cardId: number
  }
  /** An operator has opened a closed card of the customer again. */
  'card.reopened': {
    /** The card. */
    cardId: number
  }
  /** A card of the customer was removed. */
  'card.removed': {
    /** The card. */
    cardId: number
  }
  /** The gateway or two operators reported that the account behind a card of the customer is closed. */
  'card.account-closed': {
    /** The card. */
    cardId: number
  }
  /** The sportsbook has reported a stake of the customer. */
  'movement.stake': {
    /** The sportsbook’s own. */
    reference: string
    amount: string
    /** ISO 4217 */
    currency: string
    /** The bet. */
    betId: number
    /** Of the customer, after it. */
    balance: string
  }
  /** The sportsbook has reported winnings of the customer. */
  'movement.winnings': {
    /** The sportsbook’s own. */
    reference: string
    amount: string
    /** ISO 4217 */
    currency: string
    /** The bet. */
    betId: number
    /** Of the customer, after it. */
    balance: string
  }
  /** The sportsbook has returned a stake to the customer. */
  'movement.void': {
    /** The sportsbook’s own. */
    reference: string
    amount: string
    /** ISO 4217 */
    currency: string
    /** The bet. */
    betId: number
    /** Of the customer, after it. */
    balance: string
  }
  /** The sportsbook has adjusted the customer’s balance. */
  'movement.adjustment': {
    /** The sportsbook’s own. */
    reference: string
    amount: string
    /** ISO 4217 */
    currency: string
    /** The bet. */
    betId: number
    /** Of the customer, after it. */
    balance: string
  }
  /** Outcomes of the market have new results. Events of the tips on them follow. */
  'market.settled': {
    /** How many outcomes. */
    settled: number
    /** How many outcomes. */
    corrected: number
  }
  /** The customer was registered or changed. */
  'customer.changed': {
    status: string
    verified: boolean
  }
  /** The customer has begun a time-out or a self-exclusion. */
  'customer.excluded': {
    kind: 'time-out' | 'self-exclusion'
    /** Nothing ends it before. */
    until: string
  }
  /** The customer’s personal data was erased. */
  'customer.erased': Record<never, never>
  /** The customer has set, requested or confirmed a limit for their deposits. */
  'limit.changed': {
    period: 'day' | 'week' | 'month'
    change: 'set' | 'requested' | 'confirmed'
    /** The limit in force; null: none. */
    amount: string | null
    /** The requested limit; null, where one was requested: none. */
    requested: string | null
  }
}

/** What each kind of event is about. */
export interface EventSubjects {
  'profile.created': 'profile'
  'follow.created': 'profile'
  'follow.ended': 'profile'
  'tip.created': 'comment'
  'tip.deactivated': 'comment'
  'tip.removed': 'comment'
  'tip.restored': 'comment'
  'tip.settled': 'comment'
  'tip.corrected': 'comment'
  'like.created': 'comment'
  'like.ended': 'comment'
  'flag.created': 'comment' | 'profile'
  'decision.made': 'comment' | 'profile'
  'appeal.made': 'comment' | 'profile'
  'appeal.decided': 'comment' | 'profile'
  'deposit.challenged': 'deposit'
  'deposit.authorised': 'deposit'
  'deposit.captured': 'deposit'
  'deposit.declined': 'deposit'
  'deposit.voided': 'deposit'
  'deposit.review': 'deposit'
  'deposit.resolved': 'deposit'
  'refund.requested': 'deposit'
  'refund.sent': 'deposit'
  'refund.done': 'deposit'
  'refund.failed': 'deposit'
  'refund.review': 'deposit'
  'dispute.opened': 'deposit'
  'dispute.changed': 'deposit'
  'withdrawal.requested': 'customer'
  'withdrawal.held': 'customer'
  'withdrawal.released': 'customer'
  'withdrawal.approved': 'customer'
  'withdrawal.sending': 'customer'
  'withdrawal.paid': 'customer'
  'withdrawal.returned': 'customer'
  'withdrawal.part-returned': 'customer'
  'withdrawal.refused': 'customer'
  'withdrawal.review': 'customer'
  'card.added': 'customer'
  'card.changed': 'customer'
  'card.closed': 'customer'
  'card.blocked': 'customer'
  'card.reopened': 'customer'
  'card.removed': 'customer'
  'card.account-closed': 'customer'
  'movement.stake': 'customer'
  'movement.winnings': 'customer'
  'movement.void': 'customer'
  'movement.adjustment': 'customer'
  'market.settled': 'market'
  'customer.changed': 'customer'
  'customer.excluded': 'customer'
  'customer.erased': 'customer'
  'limit.changed': 'customer'
}

export type EventKind = keyof EventData

/** The kinds that the stream carries. */
export type StreamedKind =
  | 'follow.created'
  | 'like.created'
  | 'tip.settled'
  | 'tip.corrected'
  | 'tip.removed'
  | 'tip.restored'
  | 'decision.made'
  | 'appeal.decided'
  | 'tip.created'
  | 'deposit.challenged'
  | 'deposit.authorised'
  | 'deposit.captured'
  | 'deposit.declined'
  | 'deposit.voided'
  | 'deposit.review'
  | 'deposit.resolved'
  | 'withdrawal.requested'
  | 'withdrawal.held'
  | 'withdrawal.released'
  | 'withdrawal.approved'
  | 'withdrawal.sending'
  | 'withdrawal.paid'
  | 'withdrawal.returned'
  | 'withdrawal.part-returned'
  | 'withdrawal.refused'
  | 'withdrawal.review'
  | 'card.added'
  | 'card.changed'
  | 'card.closed'
  | 'card.blocked'
  | 'card.reopened'
  | 'card.removed'
  | 'card.account-closed'
