// Deposits as operators see them.

import type { ListedDepositRow } from '../../wallets/deposits/list-store.ts'
import type { DepositRow } from '../../wallets/deposits/store.ts'
import { codeOf, whyOfDeposit } from '../../wallets/deposits/why.ts'
import { shown } from '../server/shown.ts'
import { type Deposit, deposit, type ListedDeposit, listedDeposit } from './deposit-schemas.ts'

const columnsOf = shown(deposit)
const listedColumnsOf = shown(listedDeposit)

export function depositOf(row: DepositRow): Deposit {
  return columnsOf(row, { paymentId: row.id, fault: codeOf(row.fault) })
}

export function listedDepositOf(row: ListedDepositRow): ListedDeposit {
  return listedColumnsOf(row, { paymentId: row.id, fault: codeOf(row.fault), why: whyOfDeposit(row) })
}
