import type { ListView } from '@outpost/contract/views'
import type { Route } from 'playwright'
import { refuse } from './browser.ts'
import type { Answers } from './browser.ts'
import { bodyOf, leadList, leadServer, type Lead } from './views.ts'

const statuses = leadList.fields.find(({ key }) => key === 'status')?.options ?? []

/** The list of leads with every layout; the board asks why a lead is junk. */
export const laidList: ListView = {
  ...leadList,
  fields: [...leadList.fields, { key: 'lat', kind: 'number', label: 'Latitude' }, { key: 'lng', kind: 'number', label: 'Longitude' }],
  filters: [...leadList.filters, { key: 'lat', operators: ['gte', 'lte'] }, { key: 'lng', operators: ['gte', 'lte'] }],
  layouts: [
    {
      kind: 'kanban',
      field: 'status',
      columns: statuses,
      move: { method: 'PUT', path: '/api/leads/:id/status' },
      titleKey: 'fullName',
      lines: ['phonenumber', 'assignedUserId'],
      sum: 'installmentAmount',
      badge: 'consent',
      summary: { method: 'GET', path: '/api/leads/summary' },
      moveForms: { Junk: [{ key: 'reason', kind: 'text', label: 'Reason', required: true }] },
    },
    { kind: 'map', latKey: 'lat', lngKey: 'lng', colourKey: 'status', labelKey: 'fullName', near: true },
  ],
}

/** Leads around Nairobi, in a fixed pattern; every tenth has no position, the first three are on one spot. */
export function placed(leads: Lead[]): Lead[] {
  return leads.map((lead, index) => {
    if (index % 10 === 9) return lead
    const spot = index < 3 ? 0 : index
    const turn = spot * 2.399963
    const far = 0.002 * Math.sqrt(spot * 40)
    return { ...lead, lat: -1.286 + far * Math.cos(turn), lng: 36.817 + far * Math.sin(turn) }
  })
}

/** Where a lead may go from where it is, in the fake server. */
const next: Record<string, string[]> = {
  New: ['Contacted', 'Junk'],
  Contacted: ['Qualified', 'New', 'Junk'],
  Qualified: ['Submitted', 'Contacted', 'Junk'],
  Submitted: ['Converted', 'Junk'],
  Converted: [],
  Junk: ['New'],
}

async function move(leads: Lead[], route: Route): Promise<unknown> {
  const lead = leads.find(({ Id }) => Id === new URL(route.request().url()).pathname.split('/')[3])
  const { status } = bodyOf(route) as { status: string }
  if (!lead) return refuse(route, 404, 'NOT_FOUND')
  const allowed = next[lead.status] ?? []
  if (!allowed.includes(status)) {
    const answer = {
      success: false,
      code: 'ILLEGAL_TRANSITION',
      status: 409,
      message: `A lead that is ${lead.status} cannot become ${status}.`,
      details: { allowed },
    }
    return void (await route.fulfill({ status: 409, json: answer }))
  }
  lead.status = status
  return { lead }
}

function summary(leads: readonly Lead[]) {
  return {
    summary: statuses.map(({ value }) => {
      const own = leads.filter(({ status }) => status === value)
      return { value, count: own.length, sum: own.reduce((sum, { installmentAmount }) => sum + installmentAmount, 0) }
    }),
  }
}

/** The fake server of the views, with the laid list as the screen of leads; a lead moves as its life allows. */
export function laidServer(leads: Lead[], more: Answers = {}, list: ListView = laidList): Answers {
  const plain = leadServer(leads)
  return leadServer(leads, {
    'PUT /api/leads/*': (route) => move(leads, route),
    'GET /api/leads/summary': () => summary(leads),
    ...more,
    'GET /api/console/screens/*': (route) =>
      route.request().url().endsWith('/leads') ? { view: list } : plain['GET /api/console/screens/*']?.(route),
  })
}
