// What a viewer does not see, as parts of statements (tables: migrations/schema.*.txt). The viewer 0, nobody's profile, sees everything.

/** The end of a mute that lasts until it is taken back: later than any time. */
export const FOR_EVER = Number.MAX_SAFE_INTEGER

/** True unless there is a block between the viewer and the profile, whoever of the two made it. One index probe. */
export function isVisible(viewer: string, id: string): string {
  return `(select 1 from profile_block hidden where hidden.profile_id = ${viewer} and hidden.other_id = ${id}) is null`
}

/**
 * The same for each row of a list. Whether the viewer has any block is read once, so that a viewer without one pays no probe
 * for each row.
 */
export function isVisibleInList(viewer: string, ...ids: string[]): string {
  const all = ids.map((id) => isVisible(viewer, id)).join(' and ')
  return `(not exists (select 1 from profile_block any_block where any_block.profile_id = ${viewer}) or (${all}))`
}

/** True unless the profile's owner is excluded: then it is in no ranking. Its tips stay. */
export function isRankable(id: string, now: string): string {
  return `(select 1 from profile ranked join customer owner on owner.id = ranked.customer_id
    where ranked.id = ${id} and not (${mayPlay('owner', now)})) is null`
}

/** Whether a customer is excluded, by themselves or by an operator. */
export function mayPlay(customer: string, now: string): string {
  return `${customer}.play_from <= ${now} and ${customer}.status <> 'self-excluded'`
}

/** When the profile's mute of the other ends; null without one. */
export function mutedUntil(profile: string, other: string): string {
  return `(select muting.until from profile_mute muting where muting.profile_id = ${profile} and muting.other_id = ${other})`
}
