import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import type { FieldDefinition, PanelDefinition } from '../../kernel/types.ts'
import { move } from '../../kernel/workflow/operations.ts'
import { insuranceChoice } from './choice.resource.ts'
import * as choose from './choose.ts'
import { compareAnswer, compareInput, compareOffers, yearsNeeded } from './compare.ts'
import { insuranceBand, insuranceOffer } from './offer.resource.ts'
import { expiryJob } from './policy.expiry.job.ts'
import { policyNews } from './policy.news.ts'

const own = { own: true }
const [see, add, edit, drop] = [may('ADMIN/INSURANCE'), may('ADMIN/INSURANCE/CREATE'), may('ADMIN/INSURANCE/EDIT'), may('ADMIN/INSURANCE/DELETE')]
/** Whoever works on an application. */
const [compare, decide] = [may('SALES/LEADS', 'LOAN/DISBURSEMENTS'), may('SALES/LEADS/EDIT')]
const path = '/api/insurance/offers'

const money = (label: string): FieldDefinition => ({ kind: 'money', label, currency: 'company' })
const states = [
  { value: 'Open', label: 'Open', colour: 'blue' },
  { value: 'Accepted', label: 'Accepted', colour: 'green' },
  { value: 'Declined', label: 'Declined', colour: 'red' },
  { value: yearsNeeded, label: yearsNeeded, colour: 'gold' },
  { value: 'Not for this loan', label: 'Not for this loan', colour: 'default' },
]
const comparePanel: PanelDefinition = {
  key: 'insurance',
  title: 'Insurance offers',
  route: 'insurance.compare',
  value: 'offers',
  fields: {
    insurer: { kind: 'text', label: 'Insurer' },
    name: { kind: 'text', label: 'Cover' },
    coverType: { kind: 'text', label: 'Kind of cover' },
    first: money('First premium'),
    total: money('Over the term'),
    levies: money('Levies within'),
    stamp: money('Stamp duty within'),
    commission: money('Commission within'),
    state: { kind: 'choice', label: 'Decision', options: states },
    papers: { kind: 'text', label: 'Papers' },
    why: { kind: 'text', label: 'Why not' },
  },
  open: '/admin/insurance/view/:Id',
  actions: [
    { route: 'insurance.accept', label: 'Accept', scope: 'row', idField: 'offerId', visibleIf: { in: ['state', ['Open', yearsNeeded, 'Declined']] }, form: { vehicleAge: { kind: 'number', label: 'Vehicle’s years', min: 0, max: 100, help: 'Where the table of the offer goes by it. Left empty: by the year of the collateral' } } },
    { route: 'insurance.decline', label: 'Decline', scope: 'row', idField: 'offerId', danger: true, visibleIf: { in: ['state', ['Open', yearsNeeded, 'Accepted']] }, form: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } } },
    {
      route: 'insurance.own',
      label: 'Own policy',
      scope: 'page',
      form: {
        insurer: { kind: 'text', label: 'Insurer', required: true, maxLength: 120 },
        policyNumber: { kind: 'text', label: 'Policy number', required: true, maxLength: 60 },
        sumInsured: { kind: 'money', label: 'Sum insured', required: true, currency: 'company', min: 0 },
        expiresOn: { kind: 'date', label: 'Policy until', required: true },
      },
    },
  ],
  empty: { title: 'No offers today', body: 'Active offers of insurers are compared here.' },
}

/** Insurance: what insurers offer, compared, accepted or declined for an application, or replaced by the client's own policy. */
export const insuranceArea = defineArea({
  name: 'insurance',
  notifications: [policyNews],
  jobs: [expiryJob.job],
  resources: [insuranceOffer, insuranceBand, insuranceChoice],
  routes: [
    route('insurance.list', 'GET', path, see, list(insuranceOffer), own),
    route('insurance.get', 'GET', `${path}/:id`, see, get(insuranceOffer), own),
    route('insurance.timeline', 'GET', `${path}/:id/timeline`, see, history(insuranceOffer), own),
    route('insurance.create', 'POST', path, add, create(insuranceOffer), own),
    route('insurance.remove', 'POST', `${path}/delete`, drop, remove(insuranceOffer), own),
    route('insurance.restore', 'POST', `${path}/restore`, drop, restore(insuranceOffer), own),
    route('insurance.move', 'POST', `${path}/:id/move`, edit, move(insuranceOffer), { own: true, summary: 'Activates an offer, or withdraws it; refused with the cap that it breaks' }),
    route('insurance.update', 'PUT', `${path}/:id`, edit, update(insuranceOffer), own),
    route('insurance.choices', 'GET', '/api/insurance/choices', compare, list(insuranceChoice), own),
    route('insurance.compare', 'GET', '/api/applications/:id/insurance', compare, query(compareInput, compareOffers, compareAnswer), { own: true, summary: 'Offers of today and what each costs on an application' }),
    route('insurance.accept', 'POST', '/api/applications/:applicationId/insurance/accept', decide, command(choose.acceptInput, choose.acceptOffer, recordAnswer(insuranceChoice)), own),
    route('insurance.decline', 'POST', '/api/applications/:applicationId/insurance/decline', decide, command(choose.declineInput, choose.declineOffer, recordAnswer(insuranceChoice)), own),
    route('insurance.own', 'POST', '/api/applications/:id/insurance/own', decide, command(choose.ownInput, choose.substituteOwn, recordAnswer(insuranceChoice)), { own: true, summary: 'Puts the client’s own policy in the place of an offer' }),
  ],
  panels: [on('loanApplication', comparePanel), on('loanApplication', by(insuranceChoice, 'applicationId')), on('insuranceOffer', by(insuranceChoice, 'offerId'))],
  screens: [
    screen('/admin/insurance/list', see, listOf(insuranceOffer, { source: 'insurance.list', overrides: { exportReport: 'exportList' } }), { menu: { under: 'administration', label: 'All Offers', icon: 'insurance', order: 34 } }),
    screen('/admin/insurance/create', add, formOf(insuranceOffer)),
    screen('/admin/insurance/edit/:id', edit, formOf(insuranceOffer)),
    screen('/admin/insurance/view/:id', see, detailOf(insuranceOffer)),
  ],
})
