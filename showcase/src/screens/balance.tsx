import type { Balance } from '../answers.ts'

const isSome = (amount: string) => Number(amount) !== 0

/** What the customer has, and what is missing from it and why. */
export function BalanceLine({ balance: { balance, debt, pending } }: { balance: Balance }) {
  return (
    <p role="status" aria-label="Balance">
      You have <strong>£{balance}</strong>.{isSome(pending) && ` £${pending} is in withdrawals that are not paid yet.`}
      {isSome(debt) && ` You owe £${debt}, which is taken from what you get next.`}
    </p>
  )
}
