// Faults in words for a customer. Clients match on the code.

import type { FaultCode } from '../../src/faults.ts'

/** The faultName where the session is over. */
export const LOGGED_OUT = 'who-ticket'

export type Words = readonly [title: string, advice: string]

/** A customer can do nothing about these: the application has sent a wrong request, or the service failed. */
type OfTheApplication = '10000' | '10003' | '10010' | '10020' | '10070' | '10071' | '20010'

const BY_CODE: Record<Exclude<FaultCode, OfTheApplication>, Words> = {
  '20000': ['You cannot log in now', 'If you have taken a break, it is not over yet.'],
  '10030': ['Too many requests at once', 'Wait a moment, then try again.'],
  '30410': ['Profile not found', 'It was removed, or it never existed.'],
  '30430': ['Somebody has this name already', 'Choose another name.'],
  '30431': ['The text has no words', 'Write at least one letter or digit.'],
  '30432': ['Some words are not allowed', 'Change them, or take the suggestion.'],
  '30440': ['You cannot follow yourself', 'Follow somebody else.'],
  '30441': ['You have muted or blocked too many people', 'Remove somebody from your list first.'],
  '30450': ['The picture is too large', 'Choose one of at most 10 MB.'],
  '30451': ['This is not a picture we can read', 'Choose a JPG, PNG or GIF file.'],
  '30460': ['You cannot flag your own profile', 'Change your name or your biography instead.'],
  '30490': ['This selection is closed', 'Its market is suspended or settled. Choose another bet.'],
  '30491': ['Your profile is not active', 'A moderator has deactivated it. See your decisions.'],
  '30492': ['Tips are not written on this sport', 'Choose another bet.'],
  '30500': ['Tip not found', 'It was removed, or it never existed.'],
  '30520': ['You have already written a tip on this bet', 'Choose another bet.'],
  '30530': ['Match not found', 'It was removed, or it never existed.'],
  '30600': ['Decision not found', 'It is not one about you.'],
  '30610': ['This decision cannot be appealed', 'The time for it is over, or a later decision replaced it.'],
  '30611': ['You have already appealed', 'A moderator will answer.'],
  '24000': ['You have no card', 'Register one with your sportsbook.'],
  '24001': ['This card cannot be used', 'It was closed or removed. Choose another card.'],
  '24002': ['The amount is too small', 'Deposit at least the minimum of this card.'],
  '24003': ['The amount is too large', 'Deposit at most the maximum of this card.'],
  '24004': ['Your account may not deposit', 'Ask customer service.'],
  '24005': ['The bank did not authorise the payment', 'Nothing was taken. Use another card, or ask your bank.'],
  '24006': ['The bank does not know this card number', 'Register the card again, or use another one.'],
  '24007': ['There is not enough money on the card', 'Deposit less, or use another card.'],
  '24008': ['This is more than your daily limit', 'Deposit less, or come back tomorrow.'],
  '24009': [
    'The security code is wrong',
    'Type the 3 digits on the back of the card. After 5 wrong codes the card is closed.',
  ],
  '24010': ['The card has expired', 'Register the new card with your sportsbook.'],
  '24011': ['Your last deposit is still being made', 'Wait until it has ended, then try again.'],
  '24015': ['You have not accepted how your funds are protected', 'Accept the statement with your sportsbook first.'],
}

/** `name`: the faultName. That of a limit that the customer has set is its period. */
export function wordsOf(code: string, name: string | undefined): Words | undefined {
  if (name === LOGGED_OUT) return ['You are logged out', 'Your session is over. Log in again, and you are back here.']
  if (code !== '24008' || name === undefined)
    return Object.hasOwn(BY_CODE, code) ? BY_CODE[code as keyof typeof BY_CODE] : undefined
  return [`This is more than your limit of the ${name}`, 'You have set it under "Play safely". Deposit less.']
}

export function faultTitle(code: string, name: string | undefined): string | undefined {
  return wordsOf(code, name)?.[0]
}
