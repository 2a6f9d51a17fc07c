import { normalisedText, type Parameter } from '../http/requests/parameters.ts'
import { FLAG_REASONS, type FlagReason, MAX_FLAG_NOTE_LENGTH } from './reasons.ts'

/** Why a profile or a comment is flagged. */
export const flagText = {
  reason: {
    from: 'query or form',
    meaning: 'why',
    extension: true,
    absent: null,
    parse: (raw) => FLAG_REASONS.find((reason) => reason === raw),
    schema: { type: 'string', enum: ['', ...FLAG_REASONS] },
  } satisfies Parameter<FlagReason | null>,
  note: {
    from: 'query or form',
    meaning: 'a note to moderators, up to 300 characters, with up to 10 line feeds',
    extension: true,
    absent: '',
    lines: true,
    parse: (raw) => normalisedText(raw, { least: 0, most: MAX_FLAG_NOTE_LENGTH }),
    schema: { type: 'string', maxLength: MAX_FLAG_NOTE_LENGTH },
  } satisfies Parameter<string>,
}
