# One image for every role: api, worker, geo and the one-off migrate differ by command and ROLE only.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/contract/package.json packages/contract/
COPY packages/rules/package.json packages/rules/
COPY packages/platform/package.json packages/platform/
COPY apps/server/package.json apps/server/
COPY apps/console/package.json apps/console/
COPY apps/geo/package.json apps/geo/
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
ARG BUILD=dev
ENV BUILD=$BUILD
RUN node scripts/build.ts && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ARG BUILD=dev
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data BUILD=$BUILD
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app /app
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets SIGTERM itself; the server drains within 25 s.
STOPSIGNAL SIGTERM
CMD ["node", "apps/server/src/main.ts"]
