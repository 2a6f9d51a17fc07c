import { SESSION_ID_LENGTH } from './sessions/store.ts'

/** By the beginning of the hash of the ticket, as operators name it. */
export const sessionKey = (ticketHash: string): string => `session ${ticketHash.slice(0, SESSION_ID_LENGTH)}`
/** All sessions that the customer had. */
export const customerKey = (customerId: number): string => `customer ${customerId}`
export const applicationKey = (apiKey: string): string => `application ${apiKey}`
/** The secret that the application had. */
export const secretKey = (apiKey: string): string => `secret ${apiKey}`
