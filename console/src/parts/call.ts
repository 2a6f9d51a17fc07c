import { useAction } from '../../../web/action.ts'
import { asRefusal } from '../api/api.ts'

/** An action whose error is a refusal of the server. */
export function useCall<Given extends unknown[] = []>(act: (...given: Given) => Promise<void>) {
  const { run, isBusy, error } = useAction(act)
  return { run, busy: isBusy, refusal: error === undefined ? undefined : asRefusal(error) }
}
