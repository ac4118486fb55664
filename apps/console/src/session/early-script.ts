import { pathOf } from '@outpost/client/client'
import {
  announceRefresh,
  hintKey,
  readsKey,
  readTimeoutMs,
  refreshingKey,
  refreshingMs,
  refreshLock,
  refreshRequest,
  refreshTimeoutMs,
} from './boot-names.ts'

/**
 * Source of the second half of the boot script: on a device that probably has a session, the access token, the console's layout and what
 * this address asked for the last time are asked for while the program is still being loaded; session/early.ts takes the answers. Over
 * a line with a delay they are there first. While no other tab exchanges the refresh cookie, this is done at once, and the others' turn
 * comes after it.
 */
export function earlyScript(version: string): string {
  const request = refreshRequest(version)
  return `(function () {
  var hint = null
  try { hint = localStorage.getItem('${hintKey}') } catch (error) { hint = null }
  if (hint !== '1' || navigator.onLine === false || !navigator.locks) return
  var ask = async function (path, options) {
    var answer = await fetch(path, Object.assign({ credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(${refreshTimeoutMs}) }, options))
    return { status: answer.status, answer: await answer.json() }
  }
  var turn = function (run) { return navigator.locks.request('${refreshLock}', run) }
  var send = function () { return ask('${pathOf('auth.refresh')}', ${JSON.stringify(request)}) }
  var announced = (${announceRefresh.toString()})('${refreshingKey}', ${refreshingMs})
  var sent = announced.isAlone ? send() : turn(send)
  var refresh = sent.then(function (got) { announced.done(); return got }, function () { announced.done(); return null })
  if (announced.isAlone) turn(function () { return refresh }).catch(function () { return null })
  var askAs = function (token, tenantId, path) {
    var headers = Object.assign({ authorization: 'Bearer ' + token }, tenantId ? { 'x-tenant-id': tenantId } : {}, ${JSON.stringify(request.headers)})
    return ask(path, { headers: headers, signal: AbortSignal.timeout(${readTimeoutMs}) })
      .then(function (got) { return Object.assign(got, { token: token, tenantId: tenantId, at: performance.now() }) })
      .catch(function () { return null })
  }
  var kept = function () {
    try { return JSON.parse(localStorage.getItem('${readsKey}') || '{}')[location.pathname + location.search] || null } catch (error) { return null }
  }
  var reads = {}
  var layout = refresh.then(function (got) {
    var token = got && got.answer && got.answer.success === true && got.answer.data && got.answer.data.token
    if (!token) return null
    // First, for nothing is drawn without it.
    var asked = askAs(token, null, '${pathOf('console.layout')}')
    var last = kept()
    if (last) last.paths.forEach(function (path) { reads[path] = askAs(token, last.tenantId, path) })
    return asked
  })
  window.outpostEarly = { refresh: refresh, layout: layout, reads: reads }
})()
`
}
