import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { command, get, list, noInput, query } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { custom, listOf, screen } from '../../kernel/screens/screen.ts'
import * as answers from './agent.answers.ts'
import * as action from './action.handlers.ts'
import * as consent from './consent/consent.handlers.ts'
import * as phones from './consent/company-phone.handlers.ts'
import { companyPhone } from './consent/company-phone.resource.ts'
import { trackingConsent } from './consent/consent.resource.ts'
import { agentAction } from './action.resource.ts'
import { noActivityAssignment } from './agent.errors.ts'
import { agentMetrics } from './agent.metrics.ts'
import { agentTiles, agentWidgets } from './agent.tiles.ts'
import { workNews } from './agent.news.ts'
import { dayEnd, locationRule } from './agent.settings.ts'
import { endDayJob } from './end-of-day.job.ts'
import * as geocoding from './geocoding.ts'
import { agentPositions, positionsAnswer } from './map.ts'
import { salesAgentReport } from './sales-agent.report.ts'
import * as stats from './stats.ts'
import { summaryInput, summaryReport } from './summary.ts'
import { agentDay, timelineInput } from './timeline.ts'
import * as tracking from './tracking.ts'
import type { ActionDefinition } from '../../kernel/types.ts'

/** One's own work, or with the history permission that of the reach. */
const field = may('SALES/AGENTS/MYWORK', 'SALES/AGENTS/HISTORY')
const own = { own: true }
const managers = may('SALES/AGENTS/HISTORY')
/** Who says that a phone is the company's answers for it. */
const govern = may('ADMIN/SETTINGS')
const range = list(agentAction, { extra: action.rangeExtra, where: action.inRange })

/** Ways from the report to the map and to one day. */
const listActions: readonly ActionDefinition[] = [
  { key: 'agents.map', label: 'Map of agents', scope: 'page', open: '/sales/agents/map' },
  { key: 'agents.day', label: 'Open the agent’s day', scope: 'row', open: '/sales/agents/day/:performedByUserId/:day' },
  { key: 'agents.place', label: 'Show the place', scope: 'row', open: '/sales/agents/location/:longitude/:latitude', visibleIf: { not: { eq: ['source', 'none'] } } },
]

/** People in the field: their day, where they are, and what they did. */
export const agentsArea = defineArea({
  name: 'agents',
  tiles: agentTiles,
  widgets: agentWidgets,
  metrics: agentMetrics,
  counted: [{ resource: agentAction, anyOf: ['SALES/AGENTS/HISTORY', 'SALES/AGENTS/MYWORK'], words: 'Day started' }],
  notifications: [workNews],
  settings: [locationRule, dayEnd],
  errors: [noActivityAssignment],
  resources: [agentAction, trackingConsent, companyPhone],
  reports: [salesAgentReport],
  routes: [
    route('agent.logAction', 'POST', '/api/agent/action', may('SALES/AGENTS/MYWORK'), command(action.actionInput, action.logAction, answers.loggedActionAnswer)),
    route('agent.latestAction', 'GET', '/api/agent/action/latest', anySession, query(noInput, action.latestAction, answers.latestActionAnswer)),
    route('agent.actionLocation', 'GET', '/api/agent/action/location/:id', field, query(idInput, action.actionLocation, answers.actionLocationAnswer)),
    route('agent.day', 'GET', '/api/agent/:id/:date', field, list(agentAction, { extra: action.dayExtra, where: action.onDay })),
    route('agent.history', 'GET', '/api/agent/actions/:from/:to', field, { ...range, run: (ctx, input, facts) => range.run(ctx, action.wholeWhenDownloaded(input), facts) }),
    route('agent.actions', 'GET', '/api/agent/actions', managers, list(agentAction, { dateType: 'created' }), { own: true, summary: 'The same history by the standard parameters of lists' }),
    route('agent.summary', 'GET', '/api/agent/summary-report', managers, query(summaryInput, summaryReport, answers.summaryAnswer)),
    route('agent.positions', 'GET', '/api/agent/positions', managers, query(noInput, agentPositions, positionsAnswer), { own: true, summary: 'Where the agents in reach were last' }),
    route('agent.timeline', 'GET', '/api/agent/timeline/:id/:date', field, query(timelineInput, agentDay, answers.timelineAnswer), { own: true, summary: 'One agent’s day: events, visits, track' }),
    route('stats.agent', 'GET', '/api/stats/agent/:userId', field, query(stats.userInput, stats.agentStats, answers.agentStatsAnswer)),
    route('stats.team', 'GET', '/api/stats/team/:userId', field, query(stats.userInput, stats.teamStats, answers.teamStatsAnswer)),
    route('stats.user', 'GET', '/api/stats/:userId', field, query(stats.userInput, stats.allStats, answers.allStatsAnswer)),
    route('tracking.create', 'POST', '/api/usertracking', may('SALES/AGENTS/MYWORK', 'SALES/ACTIVITIES/ACTIVITIES'), command(tracking.trackingInput, tracking.track, answers.trackedAnswer), { bodyLimit: 512 * 1024 }),
    route('tracking.address', 'GET', '/api/usertracking/geo_address/:lat/:lng', anySession, query(geocoding.addressInput, geocoding.addressAt, answers.addressAnswer)),
    route('tracking.lookup', 'GET', '/api/usertracking/geo_lat/:text', anySession, query(geocoding.lookupInput, geocoding.positionsOf, answers.lookupAnswer)),
    route('tracking.ofUser', 'GET', '/api/usertracking/datewithid/:from/:to/:id', field, query(tracking.periodInput, tracking.trackOf, answers.trackAnswer)),
    route('trackingConsents.list', 'GET', '/api/tracking-consents', managers, list(trackingConsent), own),
    route('trackingConsents.mine', 'GET', '/api/tracking-consents/mine', anySession, query(noInput, consent.ownConsent, consent.ownConsentAnswer), own),
    route('trackingConsents.answer', 'POST', '/api/tracking-consents/mine', anySession, command(consent.answerInput, consent.answerConsent, consent.ownConsentAnswer), { own: true, inPerson: true, peopleOnly: true, summary: 'Gives, declines or withdraws the caller’s consent to be followed at work' }),
    route('trackingConsents.ask', 'POST', '/api/tracking-consents/ask', managers, command(noInput, consent.askForConsent, consent.askedAnswer), { own: true, summary: 'Asks people of the field in reach who were not asked yet' }),
    route('companyPhones.list', 'GET', '/api/tracking/company-phones', managers, list(companyPhone), own),
    route('companyPhones.get', 'GET', '/api/tracking/company-phones/:id', managers, get(companyPhone), own),
    route('companyPhones.end', 'POST', '/api/tracking/company-phones/:id/end', govern, command(phones.endInput, phones.endMark, phones.phoneAnswer), { own: true, inPerson: true, peopleOnly: true, summary: 'Ends the mark of a phone as the company’s; its person is told' }),
  ],
  screens: [
    screen('/sales/agents/consents', managers, listOf(trackingConsent, { source: 'trackingConsents.list' }), { menu: { under: 'sales', label: 'Consents to be followed', icon: 'safety', order: 90 } }),
    screen('/sales/agents/company-phones', managers, listOf(companyPhone, { source: 'companyPhones.list' }), { menu: { under: 'sales', label: 'Company phones', icon: 'mobile', order: 91 } }),
    screen('/sales/agents/actions', managers, listOf(agentAction, { source: 'agent.actions', overrides: { exportReport: 'exportList', actions: listActions } }), { menu: { under: 'sales', label: 'Agent actions', icon: 'history', order: 7 } }),
    screen('/agents/landingpage', may('SALES/AGENTS/MYWORK'), custom('my-work', 'My Work'), { offline: true, shape: 'board', menu: { under: 'sales', label: 'My Work', icon: 'schedule', order: 1 } }),
    screen('/sales/agents/map', managers, custom('agents-map', 'Agents on the map')),
    screen('/sales/agents/day/:id/:date', managers, custom('agent-day', 'Agent’s day')),
    screen('/sales/agents/location/:lng/:lat', may('SALES/AGENT/POSITION'), custom('agent-location', 'Location'), { layout: 'plain' }),
  ],
  jobs: [endDayJob],
})
