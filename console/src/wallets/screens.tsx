// The screens of money, in the order of the menu.

import { idOf, type Screen } from '../screen.ts'
import { BalancesScreen } from './balances-screen.tsx'
import { DepositReviewScreen } from './deposit-review-screen.tsx'
import { DepositScreen } from './deposit-screen.tsx'
import { DepositsScreen } from './deposits-screen.tsx'
import { DisputesScreen } from './disputes-screen.tsx'
import { LedgerScreen } from './ledger-screen.tsx'
import { ProposalsScreen } from './proposals-screen.tsx'
import { RefundsScreen } from './refunds-screen.tsx'
import { UnappliedScreen } from './unapplied-screen.tsx'
import { WithdrawalScreen, WithdrawalsScreen } from './withdrawals-screen.tsx'

export const moneyScreens: Screen[] = [
  {
    name: 'deposits',
    title: 'Deposits',
    section: 'Money',
    requiredCalls: ['listDeposits'],
    render: ({ query, text }) => <DepositsScreen key={text} query={query} />,
  },
  {
    name: 'deposits',
    hasId: true,
    title: 'Deposit',
    section: null,
    requiredCalls: ['getDeposit'],
    render: (route) => <DepositScreen key={route.text} id={idOf(route)} />,
  },
  {
    name: 'deposit-review',
    title: 'Deposit review',
    section: 'Money',
    requiredCalls: ['readDepositReview'],
    render: () => <DepositReviewScreen />,
  },
  {
    name: 'refunds',
    title: 'Refunds',
    section: 'Money',
    requiredCalls: ['listRefunds'],
    render: ({ query, text }) => <RefundsScreen key={text} query={query} />,
  },
  {
    name: 'disputes',
    title: 'Disputes',
    section: 'Money',
    requiredCalls: ['listDisputes'],
    render: ({ query, text }) => <DisputesScreen key={text} query={query} />,
  },
  {
    name: 'withdrawals',
    title: 'Withdrawals',
    section: 'Money',
    requiredCalls: ['listWithdrawals'],
    render: ({ query, text }) => <WithdrawalsScreen key={text} query={query} />,
  },
  {
    name: 'withdrawals',
    hasId: true,
    title: 'Withdrawal',
    section: null,
    requiredCalls: ['getWithdrawal'],
    render: (route) => <WithdrawalScreen key={route.text} id={idOf(route)} />,
  },
  {
    name: 'money-proposals',
    title: 'Second person',
    section: 'Money',
    requiredCalls: ['listMoneyProposals'],
    render: () => <ProposalsScreen />,
  },
  {
    name: 'unapplied',
    title: 'Unapplied',
    section: 'Money',
    requiredCalls: ['listUnappliedNotifications'],
    render: () => <UnappliedScreen />,
  },
  {
    name: 'balances-to-pay',
    title: 'Balances to pay',
    section: 'Money',
    requiredCalls: ['listBalancesToPay'],
    render: () => <BalancesScreen />,
  },
  {
    name: 'ledger',
    title: 'Ledger',
    section: 'Money',
    requiredCalls: ['checkLedger'],
    render: () => <LedgerScreen />,
  },
]
