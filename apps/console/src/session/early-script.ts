import { pathOf } from '@outpost/client/client'
import { hintKey, refreshLock } from './boot-names.ts'

/**
 * Source of the second half of the boot script: on a device that probably has a session, the access token and the console's frame are
 * asked for while the program is still being loaded; session/early.ts takes the answers. Over a line with a delay they are there first.
 */
export function earlyScript(version: string): string {
  return `(function () {
  var hint = null
  try { hint = localStorage.getItem('${hintKey}') } catch (error) { hint = null }
  if (hint !== '1' || navigator.onLine === false || !navigator.locks) return
  var headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-ui-version': ${JSON.stringify(version)} }
  var ask = async function (path, options) {
    var answer = await fetch(path, Object.assign({ credentials: 'same-origin', cache: 'no-store', signal: AbortSignal.timeout(12000) }, options))
    return { status: answer.status, answer: await answer.json() }
  }
  var refresh = navigator.locks
    .request('${refreshLock}', function () { return ask('${pathOf('auth.refresh')}', { method: 'POST', headers: headers, body: '{}' }) })
    .catch(function () { return null })
  var frame = refresh
    .then(function (got) {
      var token = got && got.answer && got.answer.success === true && got.answer.data && got.answer.data.token
      if (!token) return null
      return ask('${pathOf('console.frame')}', { headers: Object.assign({ authorization: 'Bearer ' + token }, headers) }).then(
        function (frame) { return Object.assign(frame, { token: token }) })
    })
    .catch(function () { return null })
  window.outpostEarly = { refresh: refresh, frame: frame }
})()
`
}
