# The service on its own. Settings come from the environment (.env.example lists them); /data keeps the embedded
# database, pictures and the operator token when no PostgreSQL and no bucket are named.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools ./tools
COPY clients/typescript/package.json ./clients/typescript/
RUN npm ci --ignore-scripts
COPY . .
# Types, source maps and C sources go: nothing reads them at run time.
RUN npm run build && npm ci --omit=dev --ignore-scripts \
 && find node_modules \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.cc' -o -name '*.h' \) -delete \
 && find dist -name '*.d.ts' -delete \
 && chmod +x dist/main.js && mkdir node_modules/.cache

FROM node:24-slim
# pg_dump of the server's major version, for backups: another server needs another number here.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
 && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
 && apt-get install -y --no-install-recommends postgresql-client-18 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE /app/THIRD_PARTY.md ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/README.md /app/CHANGELOG.md ./
COPY --from=build /app/docs ./docs
COPY --from=build /app/assets ./assets
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/console/dist ./console/dist
COPY --from=build /app/showcase/dist ./showcase/dist
COPY --from=build /app/web/theme.css ./web/
COPY --from=build /app/web/reference ./web/reference
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data node_modules/.cache && ln -s /app/dist/main.js /usr/local/bin/paddock
ENV HOST=0.0.0.0 OPERATOR_HOST=0.0.0.0 DATA_DIR=/data
USER node
# Loads everything once, so that what was compiled is kept in the image. Node keeps it for each user by itself: it must be
# made by the one that runs the service.
RUN ["node", "--max-semi-space-size=16", "--use-largepages=silent", "dist/main.js", "help"]
VOLUME /data
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.OPERATOR_PORT || 8081}/health/ready`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--use-largepages=silent", "dist/main.js", "serve"]
