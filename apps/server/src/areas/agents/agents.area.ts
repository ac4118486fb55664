import { defineArea, may, route } from '../../kernel/area.ts'
import { command, query } from '../../kernel/resource/operations.ts'
import * as tracking from './tracking.ts'

/** People in the field: their day, where they are, and what they did. */
export const agentsArea = defineArea({
  name: 'agents',
  routes: [
    route('tracking.create', 'POST', '/api/usertracking', may('SALES/AGENTS/MYWORK', 'SALES/ACTIVITIES/ACTIVITIES'), command(tracking.trackingInput, tracking.track), { bodyLimit: 512 * 1024 }),
    route('tracking.ofUser', 'GET', '/api/usertracking/datewithid/:from/:to/:id', may('SALES/AGENTS/MYWORK', 'SALES/AGENTS/HISTORY'), query(tracking.periodInput, tracking.trackOf)),
  ],
})
