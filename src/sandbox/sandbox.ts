import { allApplications, applicationByKey, replaceReturnAddresses } from '../identity/applications/store.ts'
import { putCustomer } from '../identity/customers/customer.ts'
import { readDecisions } from '../moderation/decisions/decisions.ts'
import { decideOnProfile } from '../moderation/decisions/profile-review.ts'
import { UniqueViolation } from '../platform/database/database.ts'
import { monthsLater } from '../platform/runtime/calendar.ts'
import { DAY_MS, HOUR_MS } from '../platform/runtime/durations.ts'
import { flagProfile, followProfile } from '../profiles/follow.ts'
import { updateOwnProfile } from '../profiles/profile.ts'
import { changeLimit } from '../wallets/limits/limits.ts'
import { excludeCustomer } from '../wallets/reviews/exclusions.ts'
import type { SandboxContext } from './context.ts'
import { registerCards } from './world/cards.ts'
import { SANDBOX, SANDBOX_CUSTOMERS, SANDBOX_KEY, SANDBOX_NAMES, SANDBOX_SECRET } from './world/customers.ts'
import { seedMoney } from './world/money.ts'
import { seedPortraits } from './world/portraits.ts'
import { readOldNotifications } from './world/read-notifications.ts'
import { copyPasswordOfFirst } from './world/store.ts'
import { seedDays, seedFixtures, seedReactions, seedUpcoming } from './world/story.ts'
import { at } from './world/tips.ts'

const TEN_YEARS_MS = 3_650 * DAY_MS
/** Since when the customers are registered: before the first tip and the first deposit of the history. */
const AGE_MS = 95 * DAY_MS
/** Follows end before the first tip is written: notifications are in the order in which they are created here. */
const FOLLOW_MS = AGE_MS - 3 * DAY_MS

/**
 * Fills an empty database. The application is created last and every step can be repeated, so that the data are complete
 * after a start that was killed, or after two starts at once.
 */
export async function seedSandbox(context: SandboxContext): Promise<void> {
  if ((await context.database.query(allApplications, {})).length > 0) return
  if (context.config.sandboxSeed) await createCustomers(context)
  try {
    const fixed = { apiKey: SANDBOX_KEY, secret: SANDBOX_SECRET }
    await context.applications.create({ name: 'Sandbox', perSecond: null, perMinute: null, fixed })
    // The application at /app/, and those that a developer runs on this machine.
    const addresses = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}/`)
    const { url } = context.config.public
    const own = url?.startsWith('https:') ? [`${url}/`] : []
    const all = JSON.stringify([...own, ...addresses])
    await context.database.run(replaceReturnAddresses, { apiKey: SANDBOX_KEY, addresses: all })
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
}

/** The sandbox's key and secret are public: production must not accept them. */
export async function refuseSandboxInProduction({ database }: SandboxContext): Promise<void> {
  const row = await database.one(applicationByKey, { apiKey: SANDBOX_KEY })
  if (row !== undefined && row.revoked_at === null) {
    throw new Error(
      `MODE=production, but this database was filled by the sandbox: it has the public key "${SANDBOX_KEY}". ` +
        'Start with an empty database (another DATA_DIR or DATABASE_URL).',
    )
  }
}

async function createCustomers(context: SandboxContext): Promise<void> {
  const { config, database, sessions } = context
  const start = context.now() - AGE_MS
  for (const [index, profile] of SANDBOX.profiles.entries()) {
    const id = index + 1
    const login = id === SANDBOX.registered.id ? SANDBOX.registered : SANDBOX_CUSTOMERS[index]
    const password = id === 1 ? { password: SANDBOX.password } : {}
    const logIn = login === undefined ? {} : { username: login.username, ...password }
    await putCustomer(database, id, { ...logIn, ...SANDBOX_NAMES.get(id) }, start)
    // One hash for all, as the password is one and public: each takes a quarter of a second.
    if (login !== undefined) await database.run(copyPasswordOfFirst, { id })
    if (login !== undefined) await sessions?.issue(id, TEN_YEARS_MS, { ticket: login.ticket })
    await updateOwnProfile(at(context, start + index * DAY_MS), id, profile)
  }
  await seedDecision(context, start + HOUR_MS)
  for (const [index, [follower, followee]] of SANDBOX.follows.entries()) {
    const when = start + ((index + 1) * FOLLOW_MS) / SANDBOX.follows.length - index
    await followProfile(at(context, Math.floor(when)), follower, followee)
  }
  await registerCards(database, { cards: SANDBOX.cards, names: SANDBOX_NAMES }, start)
  await seedLimits(context)
  await seedExclusion(context)
  for (const { flagger, flagged, why } of SANDBOX.flags) await flagProfile(context, flagger, flagged, why)
  await seedFixtures(context)
  await seedDays(context, config.sandboxHistory)
  await seedReactions(context)
  if (config.sandboxHistory) {
    await registerCards(database, { cards: SANDBOX.moreCards, names: SANDBOX_NAMES }, start)
    await seedMoney(context)
    await seedUpcoming(context)
    await seedPortraits(context, start)
  }
  await readOldNotifications(context)
}

/** Alice has requested a higher limit a day ago, so that the example of a confirmation works. */
async function seedLimits(context: SandboxContext): Promise<void> {
  const aDayAgo = at(context, context.now() - 25 * HOUR_MS)
  for (const amount of [500_000n, 1_000_000n]) await changeLimit(aDayAgo, 1, 'month', amount)
}

/** For the example of a return. */
async function seedExclusion(context: SandboxContext): Promise<void> {
  const begin = at(context, monthsLater(context.now(), -7))
  await excludeCustomer(begin, SANDBOX.excluded, 'self-exclusion', (now) => monthsLater(now, 6))
}

/** For the examples of moderation and appeals. The profile has no picture, so that nothing changes. */
async function seedDecision(context: SandboxContext, now: number): Promise<void> {
  const decisions = await readDecisions(context.database, 'profile', SANDBOX.decidedProfile)
  if (decisions.length > 0) return
  const decision = { action: 'reset-picture', clause: 'spam', note: '', actor: 'sandbox', now } as const
  await decideOnProfile(at(context, now), SANDBOX.decidedProfile, decision)
}
