import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { command, create, get, list, noInput, query, remove, restore, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { by, on } from '../../kernel/screens/panels.ts'
import { custom, detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { move, moveMany } from '../../kernel/workflow/operations.ts'
import { openAnswer, openGateway, openInput } from './connection.ts'
import { figuresAnswer, figuresInput, ussdDashboard, ussdFigures } from './dashboard.ts'
import { gatewayRoutes } from './gateway.ts'
import * as handle from './handlers.ts'
import { ussdMenu, ussdMenuItem } from './menu.resource.ts'
import { ussdNumber } from './number.resource.ts'
import { pinLockHours, pinTries } from './pin.ts'
import { requestNews } from './request.news.ts'
import { ussdRequest } from './request.resource.ts'
import { ussdSession } from './session.resource.ts'
import { expire } from './sessions.ts'
import { simulate, simulateAnswer, simulateInput } from './simulate.ts'

const own = { own: true }
const [see, setUp] = [may('CLIENTS/USSD'), may('ADMIN/SETTINGS')]
/** A request is for whoever looks after the client. */
const [seeRequests, answer] = [may('CLIENTS/USSD', 'CLIENTS'), may('CLIENTS/USSD', 'CLIENTS/EDIT')]

/** USSD: menus on any phone for balance, statement, payment, loan requests and a call back, and what became of each session. */
export const ussdArea = defineArea({
  name: 'ussd',
  resources: [ussdNumber, ussdSession, ussdRequest, ussdMenu, ussdMenuItem],
  settings: [pinTries, pinLockHours],
  notifications: [requestNews],
  jobs: [expire],
  routes: [
    route('ussd.numbers', 'GET', '/api/ussd/numbers', see, list(ussdNumber), own),
    route('ussd.clearNumber', 'POST', '/api/ussd/numbers/:id/clear', may('CLIENTS/EDIT'), command(handle.clearInput, handle.clearNumber, recordAnswer(ussdNumber)), { own: true, summary: 'Clears PIN and device of the client whose number it is' }),
    route('ussd.sessions', 'GET', '/api/ussd/sessions', see, list(ussdSession), own),
    route('ussd.getSession', 'GET', '/api/ussd/sessions/:id', see, get(ussdSession), own),
    route('ussd.hops', 'GET', '/api/ussd/sessions/:id/hops', see, query(idInput, handle.hopsOf, handle.hopsAnswer), { own: true, summary: 'What a session asked and was answered' }),
    route('ussd.figures', 'GET', '/api/ussd/figures', see, query(figuresInput, ussdFigures, figuresAnswer), own),
    route('ussd.simulate', 'POST', '/api/ussd/simulate', see, query(simulateInput, simulate, simulateAnswer), { own: true, summary: 'Plays a session through, or a real one again; writes nothing' }),
    route('ussd.requests', 'GET', '/api/ussd/requests', seeRequests, list(ussdRequest), own),
    route('ussd.getRequest', 'GET', '/api/ussd/requests/:id', seeRequests, get(ussdRequest), own),
    route('ussd.requestTimeline', 'GET', '/api/ussd/requests/:id/timeline', seeRequests, history(ussdRequest), own),
    route('ussd.moveRequest', 'POST', '/api/ussd/requests/:id/move', answer, move(ussdRequest), own),
    route('ussd.moveRequests', 'POST', '/api/ussd/requests/move', answer, moveMany(ussdRequest), own),
    route('ussd.menus', 'GET', '/api/ussd/menus', see, list(ussdMenu), own),
    route('ussd.getMenu', 'GET', '/api/ussd/menus/:id', see, get(ussdMenu), own),
    route('ussd.menuTimeline', 'GET', '/api/ussd/menus/:id/timeline', see, history(ussdMenu), own),
    route('ussd.createMenu', 'POST', '/api/ussd/menus', setUp, create(ussdMenu), own),
    route('ussd.newMenu', 'POST', '/api/ussd/menus/draft', setUp, command(noInput, handle.newMenu, recordAnswer(ussdMenu)), { own: true, summary: 'Begins a draft with the items of the menu in force' }),
    route('ussd.moveMenu', 'POST', '/api/ussd/menus/:id/move', setUp, move(ussdMenu), { own: true, summary: 'Publishes a menu, the one in force gives way; or retires it' }),
    route('ussd.removeMenu', 'POST', '/api/ussd/menus/delete', setUp, remove(ussdMenu), own),
    route('ussd.restoreMenu', 'POST', '/api/ussd/menus/restore', setUp, restore(ussdMenu), own),
    route('ussd.updateMenu', 'PUT', '/api/ussd/menus/:id', setUp, update(ussdMenu), own),
    route('ussd.openConnection', 'POST', '/api/ussd/connections', setUp, command(openInput, openGateway, openAnswer), { own: true, inPerson: true, summary: 'Connects a USSD gateway; the key is told this once' }),
    ...gatewayRoutes,
  ],
  timeline: [{ on: 'client', resource: ussdSession, anyOf: ['CLIENTS/USSD'], where: 't."clientId" in (select id from ids)', at: 't."startedAt"', who: 'null::uuid', what: `'USSD session, ' || lower(t."state")`, detail: 't."lastMenu"' }],
  panels: [on('client', by(ussdSession, 'clientId')), on('client', by(ussdRequest, 'clientId'))],
  screens: [
    screen('/clients/ussd/clients', see, listOf(ussdNumber, { source: 'ussd.numbers', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'USSD clients', icon: 'mobile', order: 50 } }),
    screen('/clients/ussd/dashboard', see, ussdDashboard, { menu: { under: 'clients', label: 'USSD dashboard', icon: 'bar-chart', order: 51 } }),
    screen('/clients/ussd/sessions', see, listOf(ussdSession, { source: 'ussd.sessions', overrides: { exportReport: 'exportList' } })),
    screen('/clients/ussd/sessions/:id/view', see, detailOf(ussdSession, { panels: [handle.hopsPanel] })),
    screen('/clients/ussd/requests', seeRequests, listOf(ussdRequest, { source: 'ussd.requests', overrides: { exportReport: 'exportList' } }), { menu: { under: 'clients', label: 'USSD requests', icon: 'message', order: 52 } }),
    screen('/clients/ussd/requests/:id/view', seeRequests, detailOf(ussdRequest)),
    screen('/clients/ussd/simulator', see, custom('ussd-simulator', 'USSD simulator', () => ({})), { menu: { under: 'clients', label: 'USSD simulator', icon: 'phone', order: 53 } }),
    screen('/clients/ussd/menus', see, listOf(ussdMenu, { source: 'ussd.menus' }), { menu: { under: 'clients', label: 'USSD menus', icon: 'route', order: 54 } }),
    screen('/clients/ussd/menus/add', setUp, formOf(ussdMenu)),
    screen('/clients/ussd/menus/:id/edit', setUp, formOf(ussdMenu)),
    screen('/clients/ussd/menus/:id/view', see, detailOf(ussdMenu)),
  ],
})
