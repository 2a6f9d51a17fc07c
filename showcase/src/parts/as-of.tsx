import { useConnection } from '../../../web/connection.ts'
import { hours } from '../../../web/relative-time.ts'

/** "as of 14:03" beside prices, once nothing reports them any more. */
export function AsOf() {
  const { isUp, downSince } = useConnection()
  if (isUp || downSince === undefined) return null
  return <span className="badge warn">as of {hours(new Date(downSince))}</span>
}
