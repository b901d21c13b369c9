// Keeps the whole app for use without a network: a version at a time.
"use strict";

const version = "VERSION";
const files = ["FILES"];
