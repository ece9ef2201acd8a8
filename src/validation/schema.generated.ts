// Generated from spec/openapi.yaml by `npm run generate`. Do not edit.
// @ts-nocheck: written by Ajv, typed where it is imported.
"use strict";
export const isNewPlant = validate10;
const schema11 = {"$id":"NewPlant","$ref":"plant-store#/components/schemas/NewPlant"};
const schema13 = {"allOf":[{"$ref":"#/components/schemas/Plant"},{"type":"object","required":["id"],"properties":{"id":{"description":"Identification number of the plant","int64":true}}}]};
const schema14 = {"type":"object","required":["name"],"properties":{"name":{"type":"string","description":"The name of the plant"},"tag":{"type":"string","description":"Tag that specifies the type of the plant"}}};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"#/components/schemas/Plant/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err1 = {instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Plant/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err2 = {instancePath:instancePath+"/tag",schemaPath:"#/components/schemas/Plant/properties/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/components/schemas/Plant/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err4 = {instancePath,schemaPath:"#/allOf/1/required",keyword:"required",params:{missingProperty: "id"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(data.id !== undefined){
let data2 = data.id;
if(!(typeof data2 === "bigint" ? data2 >= -9223372036854776000 && data2 < 9223372036854776000 : Number.isInteger(data2) && data2 >= -9223372036854776000 && data2 < 9223372036854776000)){
const err5 = {instancePath:instancePath+"/id",schemaPath:"#/allOf/1/properties/id/int64",keyword:"int64",params:{}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/allOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="NewPlant" */;
let vErrors = null;
let errors = 0;
if(!(validate12(data, {instancePath,parentData,parentDataProperty,rootData}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
validate10.errors = vErrors;
return errors === 0;
}

export const isPlant = validate14;
const schema15 = {"$id":"Plant","$ref":"plant-store#/components/schemas/Plant"};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Plant" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.name === undefined){
const err0 = {instancePath,schemaPath:"plant-store#/components/schemas/Plant/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name !== undefined){
if(typeof data.name !== "string"){
const err1 = {instancePath:instancePath+"/name",schemaPath:"plant-store#/components/schemas/Plant/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tag !== undefined){
if(typeof data.tag !== "string"){
const err2 = {instancePath:instancePath+"/tag",schemaPath:"plant-store#/components/schemas/Plant/properties/tag/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"plant-store#/components/schemas/Plant/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

export const isError = validate15;
const schema17 = {"$id":"Error","$ref":"plant-store#/components/schemas/Error"};
const schema18 = {"type":"object","required":["error","message"],"properties":{"error":{"int32":true},"message":{"type":"string"}}};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
/*# sourceURL="Error" */;
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.error === undefined){
const err0 = {instancePath,schemaPath:"plant-store#/components/schemas/Error/required",keyword:"required",params:{missingProperty: "error"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.message === undefined){
const err1 = {instancePath,schemaPath:"plant-store#/components/schemas/Error/required",keyword:"required",params:{missingProperty: "message"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.error !== undefined){
let data0 = data.error;
if(!(typeof data0 === "bigint" ? data0 >= -2147483648 && data0 < 2147483648 : Number.isInteger(data0) && data0 >= -2147483648 && data0 < 2147483648)){
const err2 = {instancePath:instancePath+"/error",schemaPath:"plant-store#/components/schemas/Error/properties/error/int32",keyword:"int32",params:{}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err3 = {instancePath:instancePath+"/message",schemaPath:"plant-store#/components/schemas/Error/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"plant-store#/components/schemas/Error/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

export const newPlantFields = ["name","tag","id"];
export const plantFields = ["name","tag"];
