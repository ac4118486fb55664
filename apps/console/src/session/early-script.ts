import { pathOf } from '@outpost/client/client'
import { firstCallsKey, hintKey, refreshLock, refreshRequest, refreshTimeoutMs } from './boot-names.ts'

/**
 * Source of the second half of the boot script: on a device that probably has a session, the access token, the console's frame and what
 * the screen at this address asked for last time are asked for while the program is still being loaded; session/early.ts takes the
 * answers. Over a line with a delay they are there first, and all that needs a token travels at once.
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
  var refresh = navigator.locks
    .request('${refreshLock}', function () { return ask('${pathOf('auth.refresh')}', ${JSON.stringify(request)}) })
    .catch(function () { return null })
  var withToken = function (path, headers) {
    return refresh
      .then(function (got) {
        var token = got && got.answer && got.answer.success === true && got.answer.data && got.answer.data.token
        if (!token) return null
        return ask(path, { headers: Object.assign({ authorization: 'Bearer ' + token }, ${JSON.stringify(request.headers)}, headers) }).then(
          function (got) { return Object.assign(got, { token: token }) })
      })
      .catch(function () { return null })
  }
  var frame = withToken('${pathOf('console.frame')}', {})
  var first = null
  try { first = JSON.parse(localStorage.getItem('${firstCallsKey}') || '{}')[location.pathname + location.search] } catch (error) { first = null }
  var answers = {}
  if (first) first.calls.forEach(function (path) { answers[path] = withToken(path, { 'x-tenant-id': first.tenantId }) })
  window.outpostEarly = { refresh: refresh, frame: frame, answers: answers, tenantId: first ? first.tenantId : null, since: performance.now() }
})()
`
}
