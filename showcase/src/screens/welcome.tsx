import { Mark } from '../../../web/mark.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Customer } from '../sandbox.ts'
import styles from './welcome.module.css'

const ABOUT: Readonly<Record<string, string>> = {
  alice: 'Flat racing. Followed by most, and her cards always work.',
  bob: 'Football. His cards show everything a bank can refuse.',
  carol: 'Jump racing. Her bank is slow, forgetful, or changes its mind.',
}

type WelcomeProps = { customers: readonly Customer[]; choose(customer: Customer): void }

export function Welcome({ customers, choose }: WelcomeProps) {
  return (
    <main className={styles.welcome}>
      <Mark />
      <h1>Tips worth following</h1>
      <p className={styles.lead}>
        An application built on Paddock, with customers and matches of the sandbox. Every click shows the request behind
        it.
      </p>
      <ul className={styles.customers}>
        {customers.map((customer) => (
          <li key={customer.username}>
            <button type="button" onClick={() => choose(customer)}>
              <Avatar person={{ ...customer, id: customer.profileId }} />
              <span>
                <strong>Log in as {customer.name.split(' ')[0]}</strong>
                <span className="quiet">{ABOUT[customer.username] ?? customer.name}</span>
              </span>
              <Icon name="more" />
            </button>
          </li>
        ))}
      </ul>
    </main>
  )
}
