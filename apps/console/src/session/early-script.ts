import { pathOf } from '@outpost/client/client'
import { hintKey, refreshLock, refreshRequest, refreshTimeoutMs } from './boot-names.ts'

/**
 * Source of the second half of the boot script: on a device that probably has a session, the access token and the console's frame are
 * asked for while the program is still being loaded; session/early.ts takes the answers. Over a line with a delay they are there first.
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
  var frame = refresh
    .then(function (got) {
      var token = got && got.answer && got.answer.success === true && got.answer.data && got.answer.data.token
      if (!token) return null
      return ask('${pathOf('console.frame')}', { headers: Object.assign({ authorization: 'Bearer ' + token }, ${JSON.stringify(request.headers)}) }).then(
        function (frame) { return Object.assign(frame, { token: token }) })
    })
    .catch(function () { return null })
  window.outpostEarly = { refresh: refresh, frame: frame }
})()
`
}
