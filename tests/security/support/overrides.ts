import { randomUUID } from 'node:crypto'
import { defaultStages } from '@outpost/rules/leads/pipeline-stages'
import { demoPassword } from '../../support/make.ts'
import type { Target } from './requests.ts'
import { userOf } from './world.ts'

const day = 86_400_000
const at = (days: number) => new Date(Date.now() + days * day).toISOString()
let phones = 20_000_000
/** Two targets of one month are the same. */
let months = 0
const phone = () => `07${(phones += 1)}`

const premium = { insuredValue: 900_000, loanAmount: 300_000, rate: 2, termMonths: 12 }

/** What a good input needs beyond its schema, by route: values that rules look at. */
export const goodInputs: Readonly<Record<string, (target: Target) => Record<string, unknown>>> = {
  'leads.setStatus': () => ({ status: 'Contacted' }),
  'leads.assign': ({ userId, filled }) => ({ leadId: filled['lead'], userId }),
  'leads.createDraft': () => ({ Id: randomUUID(), step: 0, furthest: 0, data: {} }),
  'leads.remove': ({ side }) => ({ id: side.spareLeads[3].id }),
  'clients.byPhone': () => ({ phone: '+254712345678' }),
  // More than the vehicle carries: referred, so that the next call has something to approve.
  'leads.assess': ({ filled }) => ({
    id: filled['lead'], calculator: 'lbf-affordability', inputs: { netIncome: 800_000, livingExpenses: 30_000, marketValue: 1_000_000, modelYear: 2015, amount: 600_000, rate: 2, termMonths: 24 },
  }),
  'leads.merge': ({ filled, side }) => ({ winnerId: filled['lead'], loserId: side.spareLeads[0].id, take: [] }),
  'leads.convert': ({ side }) => ({ id: side.spareLeads[1].id }),
  'leads.restore': ({ side }) => ({ ids: [side.spareLeads[3].id] }),
  'activities.assign': ({ filled, userId }) => ({ activityId: filled['activity'], userId }),
  'activities.reassignOne': ({ filled, userId }) => ({ activityId: filled['activity'], userId }),
  'activities.linkClient': ({ filled }) => ({ activityId: filled['activity'], clientId: filled['client'] }),
  'activities.linkLead': ({ filled }) => ({ activityId: filled['activity'], leadId: filled['lead'] }),
  'activities.linkEntities': ({ filled, tenantId }) => ({ activityId: filled['activity'], entities: [{ entityType: 'tenant', entityId: tenantId }] }),
  'activities.bulk': ({ filled }) => ({ ids: [filled['activity']], days: 1 }),
  'activities.updateAssignmentStatus': ({ filled, userId }) => ({ activityId: filled['activity'], userId, statusId: filled['activity_status'] }),
  'activityStatuses.create': () => ({ meaning: 'open' }),
  'plans.create': () => ({ name: 'Round', startDate: at(0).slice(0, 10), endDate: at(1).slice(0, 10), status: 'PENDING', dayStart: 480, dayEnd: 1_020 }),
  'users.byEmail': ({ side }) => ({ email: userOf(side, 'officer').emailAddress }),
  'users.create': ({ tenantId }) => ({ firstName: 'Amina', lastName: 'Probe', userName: `amina.${phone()}`, emailAddress: `amina.${phone()}@example.org`, tenantId, tenants: [tenantId] }),
  'users.restore': ({ side }) => ({ userIds: [userOf(side, 'credit').id] }),
  'users.remove': ({ side }) => ({ userIds: [userOf(side, 'credit').id] }),
  'users.updateProfile': ({ side }) => ({ id: userOf(side, 'admin').id, firstName: 'Amina' }),
  'users.changePassword': ({ side }) => ({ id: userOf(side, 'admin').id, password: 'a long river of words 42', oldPassword: demoPassword }),
  'roles.compare': ({ filled, side }) => ({ a: filled['role'], b: side.role.id }),
  'tenants.create': ({ side }) => ({ name: 'New branch', shortCode: phone(), type: 3, parentId: side.company.id }),
  'tenants.remove': ({ side }) => ({ id: side.spare.id }),
  'agent.history': () => ({ from: at(-2).slice(0, 10), to: at(1).slice(0, 10) }),
  'tracking.create': () => ({ latitude: -1.28, longitude: 36.82, source: 'live', deviceTime: at(0) }),
  'targets.create': ({ userId }) => ({ metric: 'leads.created', ownerType: 'user', ownerUserId: userId, periodKind: 'month', startDate: at(31 * (months += 1)).slice(0, 10), value: 5 }),
  'targets.update': ({ filled }) => ({ id: filled['target'], value: 7 }),
  'targets.saveParts': ({ filled, userId }) => ({ id: filled['target'], parts: [{ ownerType: 'user', ownerId: userId, value: 1 }] }),
  'targets.createHoliday': () => ({ date: '2026-01-01', name: 'New Year', country: 'KE' }),
  'pipelines.remove': ({ side }) => ({ id: side.sparePipeline }),
  'pipelines.restore': ({ side }) => ({ ids: [side.sparePipeline] }),
  'pipelines.create': () => ({ entity: 'lead', name: 'Ours', stages: defaultStages.lead }),
  'auth.registerDevice': () => ({ deviceId: randomUUID(), password: demoPassword }),
  'auth.impersonate': ({ side }) => ({ userName: userOf(side, 'officer').userName, reason: 'checking a report' }),
  'auth.logImpersonation': ({ side }) => ({ adminId: userOf(side, 'admin').id, impersonateId: userOf(side, 'officer').id, state: 'in-progress' }),
  'auth.endSessions': ({ filled }) => ({ sessionId: filled['session'] }),
  'calculators.show': () => ({ name: 'cs-affordability' }),
  'calculators.run': () => ({ name: 'lbf-premium', inputs: premium }),
  'calculators.pdf': () => ({ name: 'lbf-premium', inputs: premium }),
  'calculators.createRuleSet': () => ({ calculator: 'cs-affordability', effectiveFrom: at(2).slice(0, 10) }),
  'console.screen': () => ({ id: 'sales-leads' }),
  'reports.preview': () => ({ report: 'userLoginReport', parameters: {} }),
  'reports.run': () => ({ report: 'userLoginReport', parameters: {}, format: 'csv' }),
  'geo.geofences.list': ({ filled }) => ({ deviceId: filled['geo.device'] }),
  'geo.geofences.create': () => ({ name: 'Probe', area: { type: 'Point', coordinates: [36.8, -1.28] } }),
  'geo.geofences.update': () => ({ name: 'Probe' }),
  'devices.create': ({ tenantId, userId }) => ({ uniqueId: randomUUID(), name: 'Probe', tenantId, userId }),
  'devices.update': ({ tenantId, userId }) => ({ uniqueId: randomUUID(), name: 'Probe', tenantId, userId }),
  'geo.devices.create': () => ({ uniqueId: randomUUID(), name: 'Probe' }),
  'geo.devices.update': () => ({ name: 'Probe' }),
  'geo.devices.setAsset': () => ({ assetId: randomUUID() }),
  'geo.devices.setOdometer': () => ({ metres: 1_000, reason: 'Probe' }),
  'geo.devices.setEngineHours': () => ({ hours: 10, reason: 'Probe' }),
  'geo.devices.sendCommand': ({ filled }) => ({ deviceId: filled['geo.device'], commandType: 'positionSingle' }),
  'geo.positions.list': ({ filled }) => ({ deviceId: filled['geo.device'] }),
  'geo.mapzoom': () => ({ zoom: '15', x: '0', y: '0', forceNoSum: '0' }),
  'geo.permissions.create': ({ filled }) => ({ deviceId: filled['geo.device'], geofenceId: filled['geo.geofence'] }),
  'geo.permissions.remove': ({ filled }) => ({ deviceId: filled['geo.device'], geofenceId: filled['geo.geofence'] }),
  'geo.commands.create': () => ({ name: 'Probe', commandType: 'positionSingle' }),
  'geo.commands.update': () => ({ name: 'Probe' }),
  'geo.eventIos.create': () => ({ name: 'Probe', eventType: 'alarm' }),
  'geo.eventIos.update': () => ({ name: 'Probe' }),
  'geo.drivers.create': () => ({ name: 'Probe' }),
  'geo.drivers.update': () => ({ name: 'Probe' }),
  'geo.deviceTrips': ({ filled }) => ({ deviceid: filled['geo.device'], fromdate: at(-1).slice(0, 10), todate: at(0).slice(0, 10), zeros: '1' }),
  'geo.userTrips': ({ userId }) => ({ userId, fromdate: at(-1).slice(0, 10), todate: at(0).slice(0, 10), zeros: '1' }),
  'geo.eventActions.create': () => ({ name: 'Probe', actionType: 'email', parameters: { to: ['probe@example.test'] } }),
  'geo.eventActions.update': () => ({ name: 'Probe' }),
  'geo.feeds.create': () => ({ name: 'Probe' }),
  'geo.feeds.update': () => ({ name: 'Probe' }),
  'geo.companySettings.update': () => ({ keepDays: 120 }),
  'geo.events.list': ({ filled }) => ({ deviceId: filled['geo.device'] }),
  'geo.events.acknowledge': () => ({ note: 'Probe' }),
  'geo.geocoding': () => ({ coordinates: '-1.28,36.82' }),
}
