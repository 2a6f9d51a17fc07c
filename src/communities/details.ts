// What `details=Y` adds to comments: the contract's comment states neither its author, nor its price, nor what it won.

import { livePrice } from '../catalogue/outcome.ts'
import { idListOf } from '../platform/database/row-list-store.ts'
import { defaultName, pictureAddress } from '../profiles/profile-view.ts'
import { fractionText, toSettlement } from '../record/record-view.ts'
import { fractionOf } from '../record/terms.ts'
import type { CommunitiesContext } from './context.ts'
import type { CommentDetails } from './shapes.ts'
import { type CommentRow, type DetailColumns, detailsOfComments, type GradeColumns } from './store.ts'

/** The details of each row, in one statement for all. The caller may see the rows, so their authors are shown too. */
export async function detailsOf(context: CommunitiesContext, rows: readonly CommentRow[]): Promise<CommentDetails[]> {
  const ids = idListOf(rows.map(({ id }) => id))
  const found = await context.database.query(detailsOfComments, { ids })
  const byId = new Map(found.map((details) => [details.id, details]))
  return rows.map(({ id, result }) => {
    const details = byId.get(id)
    if (details === undefined) return {}
    return { ...toDetails(context, { ...details, result }), settlement: settlementOf(details) }
  })
}

function settlementOf(row: DetailColumns & GradeColumns): CommentDetails['settlement'] {
  const { grade, stake, profit } = row
  return grade === null || stake === null || profit === null
    ? undefined
    : toSettlement({ ...row, grade, stake, profit })
}

/** The details of a new tip, which has no settlement. */
export function toDetails(
  { config }: CommunitiesContext,
  row: DetailColumns & Pick<CommentRow, 'result'>,
): CommentDetails {
  return {
    profile: {
      id: row.author_id,
      name: row.author_name ?? defaultName(row.author_id),
      picture: pictureAddress(config, row.author_picture),
    },
    tipPrice: tipPrice(row),
    result: row.result ?? undefined,
    eachWay: fractionText(row.each_way_num, row.each_way_den),
  }
}

function tipPrice(row: DetailColumns): CommentDetails['tipPrice'] {
  const atStartingPrice = row.record_sp === 1
  const price = atStartingPrice ? fractionOf(row.sp_num, row.sp_den) : fractionOf(row.record_num, row.record_den)
  if (price === null) return atStartingPrice ? { startingPrice: true } : undefined
  return { ...(atStartingPrice ? { startingPrice: true } : {}), ...livePrice(price.num, price.den) }
}
