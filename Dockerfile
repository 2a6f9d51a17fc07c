# The service on its own. Settings come from the environment (.env.example lists them); /data keeps the embedded
# database, pictures and the operator token when no PostgreSQL and no bucket are named.
FROM node:24-slim AS console
WORKDIR /app
COPY . .
RUN node scripts/prepare.js

FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --omit=dev
COPY migrations ./migrations
COPY src ./src
COPY --from=console /app/console/dist ./console/dist
# Loads everything once, so that what was compiled is kept in the image.
RUN node src/main.ts help
ENV HOST=0.0.0.0 OPERATOR_HOST=0.0.0.0 DATA_DIR=/data
RUN mkdir /data && chown node /data
VOLUME /data
USER node
EXPOSE 8080 8081
CMD ["node", "--max-semi-space-size=16", "--use-largepages=silent", "src/main.ts", "serve"]
