/** Why content is restricted: the operator's terms, or the law. */
export const GROUNDS = ['terms', 'law'] as const
export type Ground = (typeof GROUNDS)[number]
