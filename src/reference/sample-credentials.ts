import { SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_SECRET } from '../sandbox/world/customers.ts'

/** They work in the sandbox. */
export const SAMPLE_CREDENTIALS = { key: SANDBOX_KEY, secret: SANDBOX_SECRET, ticket: SANDBOX_CUSTOMERS[0].ticket }
