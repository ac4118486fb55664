import { it } from 'vitest'
import { mkdtemp } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { testDatabase } from '../support/db.ts'
import { startServer, killServers } from '../support/process.ts'
it('x', async () => {
  const database = await testDatabase()
  const dataDir = await mkdtemp('/tmp/outpost-x-')
  for (let n = 0; n < 12; n += 1) {
    const server = await startServer({ database, dataDir, env: { LOG_LEVEL: 'warn', NODE_OPTIONS: '--import /tmp/hang.mjs --cpu-prof --cpu-prof-dir=/tmp/prof' + n } })
    for (let k = 0; k < 12; k += 1) {
      await database.admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename like 'fx\\_%' and pid <> pg_backend_pid()")
      await new Promise((d) => setTimeout(d, 20 + n * 10))
      if (k === 4) { const rs = await Promise.all(Array.from({length: 1}, () => fetch(server.url + '/readyz', { signal: AbortSignal.timeout(5000) }).then((a) => a.status, (e) => String(e)))); console.log(rs.join())
        if (String(rs[0]).includes('Timeout')) { console.log('HANG pid', server.pid, server.output().slice(-800)); spawnSync('sh', ['-c', `kill -USR1 ${server.pid}`]); await new Promise((d) => setTimeout(d, 500));
          const list = await fetch('http://127.0.0.1:9229/json/list').then((a) => a.json(), String) as { webSocketDebuggerUrl: string }[]
          const ws = new WebSocket(list[0]?.webSocketDebuggerUrl ?? '')
          await new Promise((d) => { ws.onopen = d })
          let stacks = 0
          ws.onmessage = (m) => { const j = JSON.parse(String(m.data)); if (j.method === 'Debugger.paused') { console.log('STACK', j.params.callFrames.map((f: any) => f.functionName + ' ' + f.url.slice(-60) + ':' + f.location.lineNumber).join(' < ')); console.log('ASYNC', JSON.stringify(j.params.asyncStackTrace?.callFrames?.map((f: any) => f.functionName + ' ' + f.url.slice(-60) + ':' + f.lineNumber)), JSON.stringify(j.params.asyncStackTrace?.parent?.callFrames?.map((f: any) => f.functionName + ' ' + f.url.slice(-60) + ':' + f.lineNumber))); if (stacks++ < 6) { ws.send('{"id":9,"method":"Debugger.resume"}'); setTimeout(() => ws.send('{"id":8,"method":"Debugger.pause"}'), 37) } } }
          ws.send('{"id":1,"method":"Debugger.enable"}'); ws.send('{"id":2,"method":"Debugger.setAsyncCallStackDepth","params":{"maxDepth":8}}'); ws.send('{"id":3,"method":"Debugger.pause"}')
          await new Promise((d) => setTimeout(d, 2500))
          await server.kill(); await killServers(); await database.drop(); return
        }
      }
    }
    await new Promise((d) => setTimeout(d, 500))
    const lines = server.output().split('\n').filter((l) => !l.includes('database connection lost'))
    console.log(n, server.isRunning(), lines.filter((l) => /UNHAND|MONITOR|NO LIST|^    at/.test(l)).join('\n').slice(0, 3000))
    await server.kill()
  }
  await killServers()
  await database.drop()
}, 120_000)
