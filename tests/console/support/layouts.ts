import type { ListView } from '@outpost/contract/views'
import type { Answers } from './browser.ts'
import { leadList, leadServer, type Lead } from './views.ts'

const statuses = leadList.fields.find(({ key }) => key === 'status')?.options ?? []

/** The list of leads with every layout; the board asks why a lead is junk. */
export const laidList: ListView = {
  ...leadList,
  fields: [...leadList.fields, { key: 'lat', kind: 'number', label: 'Latitude' }, { key: 'lng', kind: 'number', label: 'Longitude' }],
  filters: [...leadList.filters, { key: 'lat', operators: ['gte', 'lte'] }, { key: 'lng', operators: ['gte', 'lte'] }],
  layouts: [
    {
      kind: 'kanban', field: 'status', columns: statuses, move: { method: 'PUT', path: '/api/leads/:id/status' }, titleKey: 'fullName', lines: ['phonenumber', 'assignedUserId'], sum: 'installmentAmount', badge: 'consent',
      summary: { method: 'GET', path: '/api/leads/summary' }, moveForms: { Junk: [{ key: 'reason', kind: 'text', label: 'Reason', required: true }] },
    },
    { kind: 'map', latKey: 'lat', lngKey: 'lng', colourKey: 'status', labelKey: 'fullName', near: true },
  ],
}

/** Leads around Nairobi, in a fixed pattern; every tenth has no position, the first three stand on one spot. */
export function placed(leads: Lead[]): Lead[] {
  return leads.map((lead, index) => {
    if (index % 10 === 9) return lead
    const spot = index < 3 ? 0 : index
    const turn = spot * 2.399963
    const far = 0.002 * Math.sqrt(spot * 40)
    return { ...lead, lat: -1.286 + far * Math.cos(turn), lng: 36.817 + far * Math.sin(turn) }
  })
}

/** The fake server of the views, with the laid list as the screen of leads. */
export function laidServer(leads: Lead[], more: Answers = {}, list: ListView = laidList): Answers {
  const plain = leadServer(leads)
  return leadServer(leads, {
    ...more,
    'GET /api/console/screens/*': (route) => route.request().url().endsWith('/leads') ? { view: list } : plain['GET /api/console/screens/*']?.(route),
  })
}
