import type { Mail } from '@outpost/platform/mail'
import { geoCalls, geoShapes, mayFollowEvents, mayFollowPositions, type GeoCallDefinition, type GeoCallName } from '@outpost/contract/geo/calls'
import { geoAnswers } from '@outpost/contract/geo/answers'
import { defineArea, may, route } from '../../kernel/area.ts'
import { createGeoClient, type GeoClient } from '../../kernel/geo-client/client.ts'
import { pass } from '../../kernel/geo-client/pass.ts'
import { command } from '../../kernel/resource/operations.ts'
import { bus } from '../../kernel/realtime/bus.ts'
import { message } from '../../kernel/realtime/messages.ts'
import { remoteRoutes } from '../../kernel/remote/remote.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { detailOf, formOf, listOf, screen, widgetBoard } from '../../kernel/screens/screen.ts'
import type { Area } from '../../kernel/types.ts'
import { markInput, markTracker, phoneAnswer } from '../agents/index.ts'
import { assetRoutes, assetScreens } from './assets/asset-routes.ts'
import { assetCategory } from './assets/asset-category.resource.ts'
import { assetGroup } from './assets/asset-group.resource.ts'
import { asset } from './assets/asset.resource.ts'
import { collateralReport } from './collateral.report.ts'
import { deviceCalls } from './calls/device-calls.ts'
import { fenceCalls, ruleCalls } from './calls/fence-calls.ts'
import { reportCalls } from './calls/report-calls.ts'
import { device } from './device.resource.ts'
import { fleetAssets } from './fleet-map.ts'
import { fleetNews } from './fleet.news.ts'
import { fleetReports } from './fleet.reports.ts'
import { maintenanceEntry } from './maintenance/maintenance-entry.resource.ts'
import { maintenancePlan } from './maintenance/maintenance-plan.resource.ts'
import { maintenanceRoutes, maintenanceScreens } from './maintenance/maintenance-routes.ts'
import { maintenanceJob } from './maintenance/maintenance.job.ts'
import { maintenanceReport } from './maintenance/maintenance.report.ts'
import { reactionJob } from './reaction-job.ts'
import { fleetResources, resourceRoutes, resourceScreens } from './resources/resource-routes.ts'
import { assetShare } from './shares/asset-share.resource.ts'
import { shareRoutes } from './shares/share-calls.ts'
import { sharePage } from './shares/share-page.ts'
import { fleetWidgets } from './fleet.widgets.ts'
import { workbench } from './workbench.ts'
import { withWork } from './user-trips.ts'

interface GeoParts { mail: Mail, env: { GEO_URL?: string | undefined, SMS_MAIL_DOMAIN?: string | undefined } }

/**
 * The geo service's own API as the specification calls it, under /geo; its lines are in contract/geo.ts. Each call is
 * a route like any other: the guard, the API document and the generated probes see it, and what is not listed does not exist.
 * What follows an event in the console, by mail or SMS comes as jobs.
 */
export function geoArea({ mail, env }: GeoParts, client: GeoClient = createGeoClient({ url: env.GEO_URL })): Area {
  const calls = Object.entries(geoCalls) as [GeoCallName, GeoCallDefinition][]
  return defineArea({
    name: 'geo',
    notifications: [fleetNews],
    reports: [...fleetReports(env.GEO_URL), ...(env.GEO_URL === undefined ? [] : [collateralReport({ client, url: env.GEO_URL }), maintenanceReport(client)])],
    menu: [{ key: 'tracking', label: 'Tracking', icon: 'radar', order: 50 }],
    resources: [device, asset, assetGroup, assetCategory, assetShare, maintenancePlan, maintenanceEntry, ...fleetResources],
    widgets: fleetWidgets(env.GEO_URL),
    timeline: [{ on: 'client', resource: asset, anyOf: geoCalls['devices.list'].anyOf, where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 'null::uuid', what: `'Vehicle ' || t."registrationNumber" || ' added'`, detail: `concat_ws(' · ', concat_ws(' ', t."make", t."model"), t."status")` }],
    panels: [on('client', by(asset, 'clientId', 'Vehicles')), on('loan', by(asset, 'loanId', 'Vehicles that secure it'))],
    routes: [
      ...calls.map(([name, call]) => {
        const passed = pass(client, { ...call, shapes: geoShapes, answer: geoAnswers[name] })
        return route(`geo.${name}`, call.method, `/geo${call.path}`, may(...call.anyOf), name === 'userTrips' ? withWork(passed) : passed, { own: call.own === true, inPerson: call.inPerson === true })
      }),
      ...assetRoutes(client),
      ...reportCalls(client),
      ...deviceCalls(client),
      ...fenceCalls(client),
      ...ruleCalls(client),
      ...resourceRoutes(client),
      ...shareRoutes,
      ...maintenanceRoutes,
      route('fleet.workbench', 'GET', '/api/tracking/workbench', may(...mayFollowPositions), workbench(client), { own: true, summary: 'What a dispatcher looks at first, each number with its rows' }),
      route('fleet.assets', 'GET', '/api/tracking/fleet', may(...geoCalls['devices.list'].anyOf), fleetAssets, { own: true, summary: 'All assets of the caller in short, for the live map' }),
      ...sharePage(client),
      route('devices.markAsCompanys', 'POST', '/api/tracking/devices/:id/company-phone', may('ADMIN/SETTINGS'), command(markInput, markTracker, phoneAnswer), { own: true, inPerson: true, peopleOnly: true, summary: 'Marks a phone as the company’s: followed in working time without consent; its person is told' }),
      ...remoteRoutes(client, device, { area: 'devices', path: '/api/tracking/devices' }),
    ],
    screens: [
      screen('/tracking/devices', may(...geoCalls['devices.list'].anyOf), listOf(device, { overrides: { exportReport: 'exportList' } }), { menu: { under: 'tracking', label: 'Devices', icon: 'mobile', order: 10 } }),
      screen('/tracking/devices/create', may(...geoCalls['devices.create'].anyOf), formOf(device)),
      screen('/tracking/devices/edit/:id', may(...geoCalls['devices.update'].anyOf), formOf(device)),
      screen('/tracking/devices/:id/view', may(...geoCalls['devices.get'].anyOf), detailOf(device)),
      ...assetScreens,
      ...maintenanceScreens,
      screen('/tracking/workbench', may(...mayFollowPositions), widgetBoard('home', 'Workbench', { name: 'fleet' }), { shape: 'board', menu: { under: 'tracking', label: 'Workbench', icon: 'dashboard', order: 73 } }),
      ...resourceScreens,
    ],
    jobs: [reactionJob({ mail, client, smsDomain: env.SMS_MAIL_DOMAIN }), maintenanceJob(client)],
    messages: [
      message('followPositions', may(...mayFollowPositions), async ({ company }, { box }, line) => {
        line.follows.add('positions')
        line.view = box ? { box, since: Date.now() } : null
        bus()?.publish('geo.followed', { companyIds: [company.id] })
        line.send('following', { box: box ?? null })
      }),
      message('unfollowPositions', may(...mayFollowPositions), async (_ctx, _input, line) => {
        line.follows.delete('positions')
        line.view = null
      }),
      message('followEvents', may(...mayFollowEvents), async ({ company }, _input, line) => {
        line.follows.add('events')
        bus()?.publish('geo.eventsFollowed', { companyIds: [company.id] })
      }),
      message('unfollowEvents', may(...mayFollowEvents), async (_ctx, _input, line) => void line.follows.delete('events')),
    ],
  })
}
