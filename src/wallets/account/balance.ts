// What customers see of their account.

import { formatMoney } from '../../platform/runtime/money.ts'
import type { WalletsContext } from '../context.ts'
import type { Balance } from './shapes.ts'
import * as sql from './store.ts'

export async function readBalance({ database }: WalletsContext, customerId: number): Promise<Balance> {
  const accounts = await database.query(sql.ownAccounts, { customerId })
  const balanceOf = (kind: 'customer' | 'debt') =>
    BigInt(accounts.find((account) => account.kind === kind)?.balance ?? '0')
  return {
    balance: formatMoney(balanceOf('customer')),
    currency: accounts[0]?.currency ?? '',
    debt: formatMoney(-balanceOf('debt')),
    pending: formatMoney(BigInt(accounts[0]?.pending ?? '0')),
  }
}
