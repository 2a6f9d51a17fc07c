// The SQL of deposits that wait for the customer to answer the card's issuer (3-D Secure). The row of a challenge is deleted
// by a trigger when its deposit is decided.

import { reading, writing } from '../../platform/database/database.ts'
import { DEPOSIT, type DepositRow, deposits } from './store.ts'

export const challengeDeposit = writing<{ id: string; leaseUntil: number }, DepositRow>('challengeDeposit')`
  update deposit set state = 'CHALLENGE', lease_until = :leaseUntil
  where id = :id and state = 'AUTHORISING' returning ${DEPOSIT}`

export const insertChallenge = writing<{
  depositId: string
  url: string
  method: 'GET' | 'POST'
  data: string
  returnUrl: string
}>('insertChallenge')`
  insert into deposit_challenge (deposit_id, url, method, data, return_url)
  values (:depositId, :url, :method, :data, :returnUrl)`

/** `data`: a JSON array of names and values. All null: there is no challenge. */
export type DepositWithChallenge = DepositRow & {
  url: string | null
  method: 'GET' | 'POST' | null
  data: string | null
  lease_until: number | null
}

export const depositWithChallenge = reading<{ id: string }, DepositWithChallenge>('depositWithChallenge')`
  select ${deposits.columns('d')}, c.url, c.method, c.data, d.lease_until
  from deposit d left join deposit_challenge c on c.deposit_id = d.id where d.id = :id`

/** For the sandbox's page of the issuer. */
export const openChallenge = reading<
  { id: string },
  { return_url: string; amount: string; currency: string; token: string; card_number: string }
>('openChallenge')`
  select c.return_url, cast(d.amount as text) as amount, d.currency, m.token, m.card_number
  from deposit_challenge c join deposit d on d.id = c.deposit_id join payment_method m on m.id = d.payment_method_id
  where c.deposit_id = :id`
