import { isoTime } from '../../platform/runtime/iso-time.ts'
import type { Check } from '../health/checks.ts'
import { STATES, worstOf } from '../health/judgement.ts'
import { checkFields } from '../health/operations.ts'
import * as s from '../server/fields.ts'
import { operatorOperation } from '../server/operation.ts'
import { examine } from './doctor.ts'

const examination = s.namedObject('Examination', {
  state: s.oneOf(STATES, 'good', 'The worst of the checks.'),
  at: s.time(),
  checks: s.list(s.object(checkFields)),
})

export type Examination = s.ValueOf<typeof examination>

export const doctorOperations = [
  operatorOperation({
    name: 'runDoctor',
    summary: 'Run the checks of `paddock doctor`',
    description:
      'Settings, file rights, disk, memory, database, pictures, certificates, the public address, the gateway and clocks, each with ' +
      'its state and what to do. It changes nothing, and takes up to 12 seconds.',
    route: 'GET /health/doctor',
    role: 'admin',
    audit: 'ran the checks of the service',
    answer: { 200: examination },
    async handle({ config, now }) {
      const checks: Check[] = []
      for await (const check of examine({ config, settingProblems: [], now })) checks.push(check)
      return { state: worstOf(checks), at: isoTime(now()), checks }
    },
  }),
]
