/** Something that the service depends on does not work now; the same request may succeed later. Answered with 503. */
export class Unavailable extends Error {}
